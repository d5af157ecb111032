// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/svg_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "slipstick/base/append_format.hpp"
#include "slipstick/io/markup.hpp"

namespace slipstick::internal {
namespace {

constexpr double letter_width = 7;

// Colours that colour-blind readers can tell apart, also on paper. Their contrast to it is 3 to 1 or more.
constexpr std::string_view colours[] = {"#0072b2", "#d55e00", "#009e73", "#b0307a", "#000000",
                                        "#a87400", "#2e8fd0", "#7a4fb5", "#8c564b", "#6b6b6b"};
static_assert(std::size(colours) == svg_colours);

void add_linear_ticks(SvgAxis& axis) {
  // About six steps of 1, 2 or 5 times a power of ten.
  const double raw = (axis.high - axis.low) / 6.0;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  const double ratio = raw / power;
  const double step = power * (ratio <= 1.0 ? 1.0 : ratio <= 2.0 ? 2.0 : ratio <= 5.0 ? 5.0 : 10.0);
  const double first = std::floor(axis.low / step + 1e-9);
  const double last = std::ceil(axis.high / step - 1e-9);
  axis.low = first * step;
  axis.high = last * step;
  const int ticks = static_cast<int>(last - first);  // about six
  for (int k = 0; k <= ticks; ++k) {
    const double value = (first + k) * step;
    axis.ticks.push_back({value, fmt::format("{:.6g}", value + 0.0)});
  }
}

void add_decade_ticks(SvgAxis& axis) {
  axis.low = std::floor(axis.low + 1e-9);
  axis.high = std::ceil(axis.high - 1e-9);
  if (axis.high <= axis.low) axis.high = axis.low + 1.0;
  const int decades = static_cast<int>(axis.high - axis.low);
  const int step = std::max(1, (decades + 8) / 9);
  for (int k = 0; k <= decades; ++k) {
    const double exponent = axis.low + k;
    const bool labelled = k % step == 0;
    axis.ticks.push_back(
        {exponent, labelled ? fmt::format("10<tspan dy=\"-6\" font-size=\"10\">{:.0f}</tspan>", exponent)
                            : std::string()});
    if (decades > 3 || k == decades) continue;
    for (int m = 2; m <= 9; ++m) axis.ticks.push_back({exponent + std::log10(m), ""});
  }
}

void draw_grid_line(std::string& svg, const SvgTick& tick, std::string_view path) {
  append_format(svg, "<path class=\"{}\" d=\"{}\" stroke=\"{}\"/>\n", tick.label.empty() ? "minor" : "grid",
                path, tick.label.empty() ? "#f1f1f1" : "#dcdcdc");
}

}  // namespace

std::string_view svg_colour(std::size_t series) {
  return colours[series % svg_colours];
}

double svg_text_width(std::string_view text) {
  const auto letters = std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; });
  return letter_width * static_cast<double>(letters);
}

SvgAxis make_svg_axis(const std::vector<const std::vector<double>*>& values, bool logarithmic) {
  SvgAxis axis{.logarithmic = logarithmic};
  double low = INFINITY;
  double high = -INFINITY;
  for (const std::vector<double>* list : values) {
    for (const double value : *list) {
      if (!axis.shows(value)) continue;
      low = std::min(low, axis.scale(value));
      high = std::max(high, axis.scale(value));
    }
  }
  if (low > high) {
    low = 0.0;
    high = 1.0;
  }
  // A range that is a point, or too narrow to be cut into ticks, gets some width.
  const double least = 1e-9 * std::max({std::abs(low), std::abs(high), 1e-290});
  if (!logarithmic && high - low < least) {
    const double widening = high == 0.0 ? 1.0 : 0.1 * std::abs(high);
    low -= widening;
    high += widening;
  }
  axis.low = low;
  axis.high = high;
  if (logarithmic) {
    add_decade_ticks(axis);
  } else {
    add_linear_ticks(axis);
  }
  return axis;
}

std::string begin_svg(double width, double height, std::string_view title) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\" "
      "fill=\"#202020\">\n"
      "<title>{2}</title>\n"
      "<rect class=\"paper\" width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
      width, height, escape_markup(title));
}

void draw_svg_title(std::string& svg, const SvgFrame& frame, std::string_view title) {
  append_format(svg, "<text x=\"{}\" y=\"26\" text-anchor=\"middle\" font-size=\"16\">{}</text>\n",
                frame.left + frame.width / 2, escape_markup(title));
}

void draw_x_axis(std::string& svg, const SvgFrame& frame, const SvgAxis& axis, std::string_view label) {
  const double bottom = frame.top + frame.height;
  for (const SvgTick& tick : axis.ticks) {
    const double x = frame.left + frame.width * axis.tick_fraction(tick);
    draw_grid_line(svg, tick, fmt::format("M{:.2f} {}V{}", x, frame.top, bottom));
    if (tick.label.empty()) continue;
    append_format(svg, "<text x=\"{:.2f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", x, bottom + 20,
                  tick.label);
  }
  append_format(svg, "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                frame.left + frame.width / 2, bottom + 44, escape_markup(label));
}

void draw_y_axis(std::string& svg, const SvgFrame& frame, const SvgAxis& axis, std::string_view label) {
  for (const SvgTick& tick : axis.ticks) {
    const double y = frame.top + frame.height * (1.0 - axis.tick_fraction(tick));
    draw_grid_line(svg, tick, fmt::format("M{} {:.2f}H{}", frame.left, y, frame.left + frame.width));
    if (tick.label.empty()) continue;
    append_format(svg, "<text x=\"{}\" y=\"{:.2f}\" text-anchor=\"end\">{}</text>\n", frame.left - 8, y + 4,
                  tick.label);
  }
  append_format(svg, "<text transform=\"translate({} {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                20, frame.top + frame.height / 2, escape_markup(label));
}

void draw_svg_frame(std::string& svg, const SvgFrame& frame) {
  append_format(svg,
                "<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" "
                "stroke=\"#404040\"/>\n",
                frame.left, frame.top, frame.width, frame.height);
}

}  // namespace slipstick::internal
