# SPDX-FileCopyrightText: 2026 The Slipstick authors
# SPDX-License-Identifier: Apache-2.0
# Two families of three equal problems that disagree, and a rule that is quick but does not solve one of their problems.
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")
file(WRITE "${work}/rule.csv" "# a remark
family,problem,contacts,tolerance,trial,newton_steps,interior_contacts,interior_friction,interior_error,solved,seconds
a,a1,20,1e-08,50,5,200,0.5,0.001,1,1.0
a,a1,20,1e-08,50,10,200,0.5,0.001,1,2.0
a,a1,20,1e-08,50,10,1000,0.5,0.001,0,0.5
a,a2,20,1e-08,50,5,200,0.5,0.001,1,1.0
a,a2,20,1e-08,50,10,200,0.5,0.001,1,2.0
a,a2,20,1e-08,50,10,1000,0.5,0.001,0,0.5
a,a3,20,1e-08,50,5,200,0.5,0.001,1,1.0
a,a3,20,1e-08,50,10,200,0.5,0.001,1,2.0
a,a3,20,1e-08,50,10,1000,0.5,0.001,0,0.5
b,b1,20,1e-08,50,5,200,0.5,0.001,1,8.0
b,b1,20,1e-08,50,10,200,0.5,0.001,1,1.0
b,b1,20,1e-08,50,10,1000,0.5,0.001,1,1.0
b,b2,20,1e-08,50,5,200,0.5,0.001,1,8.0
b,b2,20,1e-08,50,10,200,0.5,0.001,1,1.0
b,b2,20,1e-08,50,10,1000,0.5,0.001,1,1.0
b,b3,20,1e-08,50,5,200,0.5,0.001,1,8.0
b,b3,20,1e-08,50,10,200,0.5,0.001,1,1.0
b,b3,20,1e-08,50,10,1000,0.5,0.001,1,1.0
")
expect(0 "${python}" "${script}" "${work}/rule.csv")
expect_output("3 rules on 6 problems of 2 families")
# Losses: sqrt(log(2)^2 / 2), sqrt(log(5)^2 / 2), sqrt(log(8)^2 / 2).
set(rest "  interior_friction    0.5  interior_error  0.001  ")
expect_output("newton_steps     10  interior_contacts    200${rest} loss 1.63, largest 2.0
trial     50  newton_steps     10  interior_contacts   1000${rest} loss 3.12, largest 5.0
trial     50  newton_steps      5  interior_contacts    200${rest} loss 4.35, largest 8.0")
# Fitted to the other family, and what that costs in the one left out.
expect_output("a  *trial     50  newton_steps     10  interior_contacts    200${rest} 2.00   1.00")
expect_output("b  *trial     50  newton_steps      5  interior_contacts    200${rest} 8.00   1.00")
