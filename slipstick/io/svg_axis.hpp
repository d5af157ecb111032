// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// What charts have in common. Every element has its colours as attributes, and a class: a page that shows the
// chart may have other colours for the classes.
//   paper, frame, grid, minor, and k0 to k9 for the series
namespace slipstick::internal {

inline constexpr std::size_t svg_colours = 10;
std::string_view svg_colour(std::size_t series);

/// Width in pixels, about.
double svg_text_width(std::string_view text);

struct SvgTick {
  double value;       ///< on the axis' own scale
  std::string label;  ///< as SVG; empty for a minor tick
};

/// One axis. If it is logarithmic, low, high and the ticks are logarithms to base ten.
struct SvgAxis {
  bool logarithmic = false;
  double low = 0.0;
  double high = 1.0;
  std::vector<SvgTick> ticks = {};

  /// Values that would overflow the range are not drawn either.
  bool shows(double value) const { return std::abs(value) < 1e300 && (!logarithmic || value > 0.0); }
  double scale(double value) const { return logarithmic ? std::log10(value) : value; }
  /// In [0, 1] along the axis.
  double fraction(double value) const { return (scale(value) - low) / (high - low); }
  double tick_fraction(const SvgTick& tick) const { return (tick.value - low) / (high - low); }
};
/// An axis with all the values that it shows.
SvgAxis make_svg_axis(const std::vector<const std::vector<double>*>& values, bool logarithmic);

// Around the frame, and in the legend, in pixels.
inline constexpr double svg_top = 44, svg_bottom = 56, svg_legend_gap = 20, svg_legend_line = 20;

/// The part of a page, in pixels, that the axes span.
struct SvgFrame {
  double left = 0.0;
  double top = 0.0;
  double width = 0.0;
  double height = 0.0;
};

/// <svg>, its title for readers of screens, and the paper.
std::string begin_svg(double width, double height, std::string_view title);
void draw_svg_title(std::string& svg, const SvgFrame& frame, std::string_view title);
void draw_x_axis(std::string& svg, const SvgFrame& frame, const SvgAxis& axis, std::string_view label);
void draw_y_axis(std::string& svg, const SvgFrame& frame, const SvgAxis& axis, std::string_view label);
void draw_svg_frame(std::string& svg, const SvgFrame& frame);

}  // namespace slipstick::internal
