// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace slipstick::internal::report {

/// The style of a report, light and dark. Text has a contrast of 4.5 to 1 at least, curves and marks of 3 to
/// 1. The classes k0 to k9, paper, frame, grid and minor are those of charts.
inline constexpr std::string_view page_style = R"(:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1c1f23; --faint: #565d66; --line: #d5d9de; --link: #0057a8; --head: #f2f4f6;
}
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, "Helvetica Neue", Arial, sans-serif; }
h1 { font-size: 1.8rem; line-height: 1.2; }
h2 { font-size: 1.35rem; line-height: 1.25; margin: 0 0 .5rem; }
section { border-top: 1px solid var(--line); padding: 1.5rem 0; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; font-size: .875rem; }
dt { color: var(--faint); }
dd { margin: 0; overflow-wrap: anywhere; }
.note { color: var(--faint); font-size: .875rem; overflow-wrap: anywhere; }
figure { margin: 1.5rem 0; }
figure svg { max-width: 100%; height: auto; display: block; }
figcaption { color: var(--faint); font-size: .875rem; }
summary { cursor: pointer; margin: 1rem 0; }
.wide { max-width: 100%; max-height: 40rem; overflow: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: .8125rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--faint); font-size: .875rem; padding-bottom: .25rem; }
th, td { padding: .2rem .6rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { position: sticky; top: 0; background: var(--head); font-weight: 600; }
.t { text-align: left; }
.l { white-space: normal; min-width: 24rem; overflow-wrap: anywhere; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #14171a; --ink: #e8eaed; --faint: #a4acb6; --line: #3a4048; --link: #7cb8ff;
    --head: #22272d; }
  svg { fill: #e8eaed; }
  svg .paper { fill: #14171a; }
  svg .frame { stroke: #8a929c; }
  svg .grid { stroke: #3a4048; }
  svg .minor { stroke: #262b31; }
  svg .k0 { stroke: #56a9e8; } svg .k1 { stroke: #ff8f4d; } svg .k2 { stroke: #35c79c; }
  svg .k3 { stroke: #ef8fc4; } svg .k4 { stroke: #ffffff; } svg .k5 { stroke: #f2c14e; }
  svg .k6 { stroke: #9bd7ff; } svg .k7 { stroke: #b9a1f0; } svg .k8 { stroke: #cf9a8c; }
  svg .k9 { stroke: #b0b6bd; }
  svg .k0.mark { fill: #56a9e8; } svg .k1.mark { fill: #ff8f4d; } svg .k2.mark { fill: #35c79c; }
  svg .k3.mark { fill: #ef8fc4; } svg .k4.mark { fill: #ffffff; } svg .k5.mark { fill: #f2c14e; }
  svg .k6.mark { fill: #9bd7ff; } svg .k7.mark { fill: #b9a1f0; } svg .k8.mark { fill: #cf9a8c; }
  svg .k9.mark { fill: #b0b6bd; }
  svg .mark { stroke: none; }
}
@media print { .wide { max-height: none; overflow: visible; } }
)";

}  // namespace slipstick::internal::report
