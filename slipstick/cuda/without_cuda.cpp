// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// Stands for the kernels' files in a build without CUDA. Nothing here is reached but devices(): methods
// refuse every problem.
#include "slipstick/cuda/apgd_engine.hpp"
#include "slipstick/cuda/band_engine.hpp"
#include "slipstick/cuda/bound_engine.hpp"
#include "slipstick/cuda/device.hpp"
#include "slipstick/cuda/face_engine.hpp"
#include "slipstick/cuda/newton_engine.hpp"
#include "slipstick/cuda/pair_engine.hpp"
#include "slipstick/cuda/spectral_engine.hpp"
#include "slipstick/cuda/spike_engine.hpp"
#include "slipstick/cuda/sweep_engine.hpp"

namespace slipstick::internal {
namespace {

[[noreturn]] void refuse() {
  throw DeviceError("this build has no CUDA");
}

}  // namespace

bool has_cuda() {
  return false;
}

const std::vector<DeviceInfo>& devices() {
  static const std::vector<DeviceInfo> none = {{.reason = "this build has none (SLIPSTICK_CUDA was OFF)"}};
  return none;
}

const DeviceInfo& present_device() {
  return devices().front();
}

void use_device(int /*number*/) {
  refuse();
}

class ApgdEngine::Implementation {};
ApgdEngine::ApgdEngine(StoredNumber /*number*/) {
  refuse();
}
ApgdEngine::~ApgdEngine() = default;
void ApgdEngine::set_contacts(const ContactArrays& /*arrays*/) {
  refuse();
}
void ApgdEngine::set_problem(const ContactArrays& /*arrays*/) {
  refuse();
}
double ApgdEngine::multiply(const double* /*x*/, double* /*y*/) {
  refuse();
}
ApgdState ApgdEngine::start(const double* /*x*/, const ApgdState& /*state*/) {
  refuse();
}
ApgdState ApgdEngine::iterate(int /*steps*/) {
  refuse();
}
void ApgdEngine::copy_best(double* /*x*/) {
  refuse();
}
void ApgdEngine::copy_current(double* /*x*/) {
  refuse();
}
void ApgdEngine::set_launches(const LaunchOptions& /*options*/) {
  refuse();
}
double ApgdEngine::time_iterations(int /*replays*/) {
  refuse();
}
double ApgdEngine::bytes_per_iteration() const {
  refuse();
}

class SweepEngine::Implementation {};
SweepEngine::SweepEngine(SweepKind /*kind*/) {
  refuse();
}
SweepEngine::~SweepEngine() = default;
void SweepEngine::set_contacts(const ContactArrays& /*arrays*/) {
  refuse();
}
void SweepEngine::set_problem(const ContactArrays& /*arrays*/) {
  refuse();
}
SweepState SweepEngine::start(const double* /*r*/, const SweepState& /*state*/) {
  refuse();
}
SweepState SweepEngine::sweep(int /*count*/, bool /*alternate*/, bool /*backward*/) {
  refuse();
}
SweepState SweepEngine::iterate(int /*count*/, const SweepState& /*state*/) {
  refuse();
}
void SweepEngine::copy_best(double* /*r*/) {
  refuse();
}
void SweepEngine::copy_current(double* /*r*/) {
  refuse();
}
void SweepEngine::set_launches(const LaunchOptions& /*options*/) {
  refuse();
}
double SweepEngine::time_sweeps(int /*replays*/) {
  refuse();
}
double SweepEngine::bytes_per_sweep() const {
  refuse();
}

class BoundEngine::Implementation {};
BoundEngine::BoundEngine() {
  refuse();
}
BoundEngine::~BoundEngine() = default;
void BoundEngine::set_bodies(const ContactArrays& /*arrays*/) {
  refuse();
}
void BoundEngine::set_sparse(const SparseArrays& /*arrays*/) {
  refuse();
}
void BoundEngine::set_problem(const BoundArrays& /*arrays*/) {
  refuse();
}
std::size_t BoundEngine::size() const {
  refuse();
}
void BoundEngine::start(const double* /*x*/) {
  refuse();
}
BoundSums BoundEngine::compute_gradient(double /*step*/) {
  refuse();
}
BoundSums BoundEngine::release() {
  refuse();
}
BoundSums BoundEngine::compare_directions() {
  refuse();
}
BoundSums BoundEngine::find_direction(double /*factor*/) {
  refuse();
}
BoundSums BoundEngine::advance(double /*move*/, double /*step*/) {
  refuse();
}
BoundSums BoundEngine::try_whole_step(double /*whole*/) {
  refuse();
}
BoundSums BoundEngine::try_fixed_step(double /*feasible*/, double /*step*/) {
  refuse();
}
BoundSums BoundEngine::accept(double /*step*/) {
  refuse();
}
double BoundEngine::start_power(const double* /*v*/) {
  refuse();
}
double BoundEngine::power(double /*norm*/) {
  refuse();
}
void BoundEngine::copy_current(double* /*x*/) {
  refuse();
}

class FaceEngine::Implementation {};
FaceEngine::FaceEngine() {
  refuse();
}
FaceEngine::~FaceEngine() = default;
void FaceEngine::set_contacts(const ContactArrays& /*arrays*/) {
  refuse();
}
void FaceEngine::set_problem(const ContactArrays& /*arrays*/) {
  refuse();
}
void FaceEngine::start(const double* /*x*/) {
  refuse();
}
void FaceEngine::compute_gradient() {
  refuse();
}
FaceSums FaceEngine::split(double /*t*/, Direction /*direction*/, double /*weight*/) {
  refuse();
}
FaceSums FaceEngine::find_conjugate(double /*factor*/) {
  refuse();
}
FaceSums FaceEngine::find_projected(double /*step*/) {
  refuse();
}
FaceSums FaceEngine::find_gradient_step(double /*step*/) {
  refuse();
}
void FaceEngine::move_to_boundary(double /*t*/) {
  refuse();
}
void FaceEngine::scale(double /*t*/) {
  refuse();
}
void FaceEngine::keep() {
  refuse();
}
void FaceEngine::copy_best(double* /*x*/) {
  refuse();
}
void FaceEngine::copy_current(double* /*x*/) {
  refuse();
}

class NewtonEngine::Implementation {};
NewtonEngine::NewtonEngine() {
  refuse();
}
NewtonEngine::~NewtonEngine() = default;
void NewtonEngine::set(const NewtonBodies& /*bodies*/, const NewtonOrder& /*order*/) {
  refuse();
}
void NewtonEngine::set(const NewtonContacts& /*contacts*/, const NewtonOrder& /*order*/) {
  refuse();
}
SpikeOutcome NewtonEngine::factorize(const SpikeRequest& /*request*/, const double* /*band*/,
                                     const double* /*unit*/, const double* /*frames*/,
                                     const double* /*inverses*/, const double* /*squares*/) {
  refuse();
}
SpikeOutcome NewtonEngine::factorize(const SpikeRequest& /*request*/, const double* /*band*/,
                                     const double* /*unit*/, const double* /*values*/) {
  refuse();
}
void NewtonEngine::multiply(int /*from*/, int /*to*/) {
  refuse();
}
void NewtonEngine::precondition(int /*from*/, int /*to*/) {
  refuse();
}
void NewtonEngine::copy_to_device(const double* /*from*/, int /*to*/) {
  refuse();
}
void NewtonEngine::copy_to_host(int /*from*/, double* /*to*/) {
  refuse();
}
void NewtonEngine::copy(int /*from*/, int /*to*/) {
  refuse();
}
void NewtonEngine::clear(int /*v*/) {
  refuse();
}
void NewtonEngine::add(double /*a*/, int /*x*/, int /*y*/) {
  refuse();
}
void NewtonEngine::turn(int /*x*/, double /*a*/, int /*y*/) {
  refuse();
}
double NewtonEngine::dot(int /*x*/, int /*y*/) {
  refuse();
}
void NewtonEngine::set_launches(const LaunchOptions& /*options*/) {
  refuse();
}

class PairEngine::Implementation {};
PairEngine::PairEngine() {
  refuse();
}
PairEngine::~PairEngine() = default;
std::size_t PairEngine::find(std::span<const GridBox> /*boxes*/, const GridLevels& /*levels*/) {
  refuse();
}
void PairEngine::copy(int* /*pairs*/) const {
  refuse();
}

class SpikeEngine::Implementation {};
SpikeEngine::SpikeEngine() {
  refuse();
}
SpikeEngine::~SpikeEngine() = default;
void SpikeEngine::set_size(const SpikeRequest& /*request*/) {
  refuse();
}
const SpikePlan& SpikeEngine::plan() const {
  refuse();
}
SpikeOutcome SpikeEngine::factorize(const double* /*columns*/) {
  refuse();
}
SpikeOutcome SpikeEngine::factorize(const int* /*rows*/, const int* /*columns*/, const double* /*values*/,
                                    std::size_t /*count*/) {
  refuse();
}
void SpikeEngine::solve(const double* /*b*/, double* /*x*/, int /*columns*/) {
  refuse();
}
void SpikeEngine::set_launches(const LaunchOptions& /*options*/) {
  refuse();
}
double SpikeEngine::time_load(int /*repeats*/) {
  refuse();
}
double SpikeEngine::time_factorization(int /*repeats*/) {
  refuse();
}
double SpikeEngine::time_solution(int /*repeats*/) {
  refuse();
}

class SpectralEngine::Implementation {};
SpectralEngine::SpectralEngine() {
  refuse();
}
SpectralEngine::~SpectralEngine() = default;
void SpectralEngine::set_contacts(const ContactArrays& /*arrays*/) {
  refuse();
}
void SpectralEngine::set_problem(const ContactArrays& /*arrays*/) {
  refuse();
}
void SpectralEngine::start(const double* /*x*/) {
  refuse();
}
void SpectralEngine::compute_gradient() {
  refuse();
}
SpectralSums SpectralEngine::step(double /*lambda*/, double /*alpha*/, double /*metric*/, double /*weight*/) {
  refuse();
}
SpectralSums SpectralEngine::multiply(double /*metric*/) {
  refuse();
}
void SpectralEngine::scale(double /*t*/) {
  refuse();
}
void SpectralEngine::keep() {
  refuse();
}
void SpectralEngine::copy_best(double* /*x*/) {
  refuse();
}
void SpectralEngine::copy_current(double* /*x*/) {
  refuse();
}

class BandEngine::Implementation {};
BandEngine::BandEngine() {
  refuse();
}
BandEngine::~BandEngine() = default;
std::string BandEngine::explain_unsupported(const BandShape& /*shape*/, int /*columns*/) {
  refuse();
}
void BandEngine::set_matrix(const BandShape& /*shape*/, int /*columns*/, const double* /*band*/) {
  refuse();
}
void BandEngine::set_matrix(const BandShape& /*shape*/, int /*columns*/, std::span<const int> /*row*/,
                            std::span<const int> /*column*/, std::span<const double> /*value*/) {
  refuse();
}
void BandEngine::set_matrix(const BandShape& /*shape*/, int /*columns*/, const BodyBand& /*bodies*/) {
  refuse();
}
void BandEngine::multiply(const double* /*x*/, double* /*y*/) {
  refuse();
}
void BandEngine::multiply(const double* /*x*/, double* /*y*/, int /*columns*/, BandProduct /*how*/) {
  refuse();
}
int BandEngine::factorize(const char* /*inside*/, const double* /*shift*/) {
  refuse();
}
void BandEngine::solve(double* /*x*/, int /*columns*/) {
  refuse();
}
void BandEngine::move_column(int /*from*/, int /*to*/) {
  refuse();
}
void BandEngine::extend(std::span<const int> /*changes*/, int /*first*/, const double* /*r*/,
                        double* /*products*/) {
  refuse();
}
void BandEngine::correct(std::span<const double> /*pi*/, double* /*x*/) {
  refuse();
}
double BandEngine::factor_entry(int /*row*/, int /*column*/) {
  refuse();
}
void BandEngine::poison() {
  refuse();
}
double BandEngine::time_assembly(const BodyBand& /*bodies*/, int /*repeats*/) {
  refuse();
}
double BandEngine::time_factorization(bool /*with_inverses*/, int /*repeats*/) {
  refuse();
}
double BandEngine::time_solve(int /*columns*/, int /*repeats*/) {
  refuse();
}
double BandEngine::time_product(int /*repeats*/) {
  refuse();
}
double BandEngine::time_product(int /*columns*/, BandProduct /*how*/, int /*repeats*/) {
  refuse();
}

double copy_bandwidth(std::size_t /*bytes*/) {
  refuse();
}

}  // namespace slipstick::internal
