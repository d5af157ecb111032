// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The columns of the tables that the program and the studies write. Whoever writes a table prints its line
// from here, and `slipstick report` knows the table by it.
namespace slipstick::internal::report {

// The program.
inline constexpr const char* comparison_header =
    "file,class,n,nnz,solver,tolerance,status,solved,iterations,seconds,scaled_natural_map,message";
inline constexpr const char* history_header = "iteration,seconds,error,active";

// slipstick-study.
inline constexpr const char* pressure_header =
    "solver,dimension,resolution,unknowns,problems,finished,solved,seconds,iterations,products,worst_error,"
    "outcome";
inline constexpr const char* random_header =
    "family,shape,rows,condition,solver,status,seconds,iterations,products,error,disagreement";
inline constexpr const char* games_header =
    "rows,types,actions,payoffs,seed,solver,status,seconds,pivots,error";
inline constexpr const char* cone_header =
    "test,bodies,contacts,plate_kg,solver,iteration,seconds,objective,residual,feasibility,active,error";
inline constexpr const char* heyn_header = "solver,iterations,seconds,objective,reached,ratio";
inline constexpr const char* melanz_header =
    "spheres,contacts,tolerance,method,status,turns,seconds,iterations,products,factorizations,error";
inline constexpr const char* sequence_header =
    "family,size,rows,changed_rows,method,start,solved,seconds,first_seconds,iterations,factorizations,"
    "products,worst_error";
inline constexpr const char* rule_header =
    "family,problem,contacts,tolerance,newton_steps,many_contacts,alternating_trial,alternating_steps,"
    "interior_contacts,interior_friction,solved,seconds";
inline constexpr const char* stage_header =
    "family,problem,contacts,tolerance,drift,stage,solver,reason,islands,solved_islands,iterations,solved,"
    "seconds,solved_without,seconds_without";
inline constexpr const char* warm_header =
    "family,unknowns,method,claims,problems,cold_solved,warm_solved,iterations_at_the_solution,"
    "cold_iterations,warm_iterations,cold_products,warm_products,ratio";
inline constexpr const char* step_header = "comparison,bodies,first,second,solved,first_us,second_us,ratio";
/// `sweeps`: the iterations of the largest island.
inline constexpr const char* settling_header =
    "spheres,step,phase,contacts,islands,largest_island,sweeps,slipping,open,coulomb_seconds,coulomb_status,"
    "coulomb_error,flags,retried,factorizations,products,methods,convex_seconds,convex_status,convex_error,"
    "convex_flags";
inline constexpr const char* scene_header =
    "scene,law,solver,tolerance,bodies,wanted,steps,worst_error,flags,rows,closed_rows,condition,penetration_"
    "share,joint_error,joint_angle_error,energy_gain,median_ms,slow_ms,mean_solver_ms,max_ms,seconds";
inline constexpr const char* scene_methods_header =
    "scene,law,solver,tolerance,steps,problems,solved,median_ms,mean_ms,max_ms";
inline constexpr const char* stand_header =
    "case,bodies,steps,median_ms,max_ms,moved,sideways,turned,crept,joint_error,energy_gain,flagged,"
    "rest_factorizations,rest_iterations";
inline constexpr const char* litven_header =
    "wrong,method,status,seconds,factor_seconds,factorizations,solve_seconds,solves,iterations,error,"
    "distance,speedup";
inline constexpr const char* preconditioner_header =
    "system,compliance,rows,matrix_entries,removed,preconditioner,entries,breakdowns,shift,factor_seconds,"
    "iterations,converged,solve_seconds,seconds,times_fewer_iterations,condition";

// slipstick-bench and slipstick-peer-tao.
inline constexpr const char* contest_header =
    "class,problem,contacts,unknowns,solver,tolerance,status,seconds,published_error,scaled_natural_map";
inline constexpr const char* tao_header =
    "problem,dimension,resolution,unknowns,method,variant,tolerance,seconds,iterations,linear_iterations,"
    "natural_map,outcome,ratio";

// bench/limits.
inline constexpr const char* limit_header =
    "problem,law,method,threads,limit,seconds,processor_seconds,status,error,over";

// bench/page-sizes and bench/viewer/speed.mjs.
inline constexpr const char* page_size_header =
    "page,bytes,budget,movable_bodies,joints,frames,contacts,bytes_per_body,bytes_per_contact,bytes_per_"
    "joint";
inline constexpr const char* viewer_header = "study,shape,bodies,round,viewer,bare,ratio,unit";

// The kernels.
inline constexpr const char* bandwidth_header =
    "operator,rows,nonzeros,bytes,threads,seconds,copy_seconds,gb_per_s,copy_gb_per_s,ratio";
inline constexpr const char* iteration_header =
    "contacts,threads,bytes,seconds,copy_seconds,nanoseconds_per_contact,ratio";
inline constexpr const char* gpu_header =
    "device,method,shape,contacts,bodies,rows,us_per_iteration,bytes_per_contact,tb_per_s,copy_tb_per_s,"
    "share_of_copy,prepare_s,upload_s,same_bits_of_10";
inline constexpr const char* gpu_banded_header =
    "device,operation,variant,rows,bandwidth,count,microseconds,tflops,tb_per_s,iterations,factorizations,"
    "solves,error,thesis_ms";
/// Seconds of the parts of a step.
inline constexpr const char* gpu_step_header =
    "device,method,collision,threads,contacts,bodies,step,iterations,status,pairs_s,contacts_s,"
    "before_s,iterate_s,after_s,projection_s,motion_s,step_s";
inline constexpr const char* factorization_header =
    "matrix,job,rows,entries,method,status,analysis_ms,factor_ms,solve_ms,factor_entries,error,slower";
inline constexpr const char* banded_header =
    "operation,peer,rows,bandwidth,columns,block,seconds,peer_seconds,gflops,speedup,difference";
inline constexpr const char* dense_header =
    "operation,peer,rows,seconds,peer_seconds,gflops,speedup,difference";
inline constexpr const char* gpu_spike_header =
    "device,method,matrix,rows,half_bandwidth,partitions,columns,load_us,factor_us,solve_us,factor_tflops,"
    "solve_tb_per_s,copy_tb_per_s,solve_share_of_copy,lapack_factor_us,lapack_solve_us,residual";
inline constexpr const char* spike_header =
    "method,rows,half_bandwidth,partitions,threads,factor_seconds,solve_seconds,factor_gflops,solve_gflops,"
    "factor_speedup,solve_speedup,residual";
/// Written by Google Benchmark.
inline constexpr const char* micro_header =
    "name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,error_occurred,"
    "error_message,GB/s,copy_GB/s,ratio";

}  // namespace slipstick::internal::report
