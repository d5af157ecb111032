# SPDX-FileCopyrightText: 2026 The Slipstick authors
# SPDX-License-Identifier: Apache-2.0
# Answers that the program calls solved pass when they are computed again. Answers to a looser tolerance do not pass.
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")
file(REMOVE_RECURSE "${work}")
set(problems "${work}/problems")
file(MAKE_DIRECTORY "${problems}")

function(generate name)
  expect(0 "${program}" generate ${ARGN} -o "${problems}/${name}")
endfunction()
generate(lcp.mtx lcp --rows 30 --condition 1e3)
generate(skew.mtx lcp --rows 20 --skew 0.3)
generate(boxed.mtx boxed --rows 30 --two-sided 0.4 --free 0.2)
generate(packing.hdf5 packing --spheres 10)
generate(tower.hdf5 tower --bricks 2 --courses 3)
generate(rocks.hdf5 rocks --rocks 5)

# Joints, in local and in global form, and a limit with compliance.
function(write_array name size)
  list(JOIN ARGN "\n" values)
  file(WRITE "${problems}/${name}.mtx" "%%MatrixMarket matrix array real general\n${size}\n${values}\n")
endfunction()
write_array(local "3 3" 2 0.5 0 0.5 3 0.1 0 0.1 3)
write_array(local.q "3 1" -1 0.3 0.2)
write_array(local.mu "1 1" 0.4)
write_array(local.V "3 1" 0.5 0.2 0.1)
write_array(local.R "1 1" 2)
write_array(local.s "1 1" 0.7)
write_array(global "3 3" 2 0 0 0 2 0 0 0 2)
write_array(global.H "3 3" 1 0.2 0 0 1 0.3 0.1 0 1)
write_array(global.f "3 1" -2 0.5 1)
write_array(global.w "3 1" 0 0 0)
write_array(global.mu "1 1" 0.3)
write_array(global.G "3 1" 0.3 1 0)
write_array(global.b "1 1" 0.2)
write_array(limit "3 3" 2 0 0 0 2 0 0 0 2)
write_array(limit.H "3 5" 1 0.2 0 0 1 0.3 0.1 0 1 0.3 1 0 0 0.2 1)
write_array(limit.f "3 1" -2 0.5 1)
write_array(limit.w "5 1" 0 0 0 0.2 -0.5)
write_array(limit.mu "1 1" 0.3)
write_array(limit.joint.lower "2 1" -inf 0)
write_array(limit.joint.upper "2 1" inf 0.1)
write_array(limit.compliance "5 1" 0 0.1 0.1 0 0.2)

expect(0 "${python}" "${script}" "${program}" "${problems}")
expect_output("tolerance 0.0001: 9 of 9 solved")
expect_output("tolerance 1E-8: 9 of 9 solved")

# A program that is content with a tenth.
file(WRITE "${work}/liar" "#!${python}
import os, sys
a = sys.argv[1:]
if '--tolerance' in a:
    a[a.index('--tolerance') + 1] = '0.1'
os.execv('${program}', ['${program}'] + a)
")
file(CHMOD "${work}/liar" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
expect(1 "${python}" "${script}" "${work}/liar" "${problems}" --tolerance 1e-8)
expect_output("packing.hdf5: ")
