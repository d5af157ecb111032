// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/svg_dots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "slipstick/base/append_format.hpp"
#include "slipstick/io/markup.hpp"
#include "slipstick/io/svg_axis.hpp"

namespace slipstick::internal {
namespace {

// In pixels.
constexpr double dots_width = 560, dots_lane = 7, dots_padding = 12, least_dots_line = 26;

// Paths of marks around the origin, of about the same area.
constexpr std::string_view shapes[] = {
    "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z",                                                // disk
    "M-4.5 -4.5h9v9h-9z",                                                                   // square
    "M0 -6L5.6 4.4H-5.6z",                                                                  // triangle
    "M0 -6.4L6.4 0L0 6.4L-6.4 0z",                                                          // diamond
    "M-6 -3.6L-3.6 -6L0 -2.4L3.6 -6L6 -3.6L2.4 0L6 3.6L3.6 6L0 2.4L-3.6 6L-6 3.6L-2.4 0z",  // cross
    "M0 6L5.6 -4.4H-5.6z",                                           // triangle upside down
    "M-6.5 -1.8h4.7v-4.7h3.6v4.7h4.7v3.6h-4.7v4.7h-3.6v-4.7h-4.7z",  // plus
};

void draw_mark(std::string& svg, std::size_t series, double x, double y) {
  append_format(svg,
                "<path class=\"k{} mark\" transform=\"translate({:.2f} {:.2f})\" d=\"{}\" fill=\"{}\"/>\n",
                series % svg_colours, x, y, shapes[series % std::size(shapes)], svg_colour(series));
}

}  // namespace

std::string SvgDots::render() const {
  double left = 24.0;
  for (const std::string& name : categories) left = std::max(left, svg_text_width(name) + 24.0);
  double label_width = 0.0;
  for (const Series& line : series) label_width = std::max(label_width, svg_text_width(line.label));
  // Each series has a lane of its own, so that equal values do not cover each other.
  const auto lanes = static_cast<double>(series.size());
  const double line_height = std::max(least_dots_line, dots_padding + dots_lane * lanes);
  const auto lane = [&](std::size_t category, std::size_t number) {
    return svg_top + line_height * (static_cast<double>(category) + 0.5) +
           dots_lane * (static_cast<double>(number) - 0.5 * (lanes - 1.0));
  };
  const double rows = line_height * static_cast<double>(std::max<std::size_t>(categories.size(), 1));
  const SvgFrame frame{.left = left, .top = svg_top, .width = dots_width, .height = rows};

  std::vector<const std::vector<double>*> values;
  for (const Series& line : series) values.push_back(&line.values);
  const SvgAxis axis = make_svg_axis(values, log_x);
  const double legend = left + dots_width + svg_legend_gap;
  std::string svg = begin_svg(legend + 18 + label_width + 24,
                              svg_top + svg_bottom + std::max(rows, svg_legend_line * lanes), title);
  draw_x_axis(svg, frame, axis, x_label);
  for (std::size_t c = 0; c < categories.size(); ++c) {
    const double top = svg_top + line_height * static_cast<double>(c);
    append_format(svg,
                  "<path class=\"grid\" d=\"M{} {}h{}\" stroke=\"#dcdcdc\"/>\n"
                  "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n",
                  left, top, dots_width, left - 8, top + 0.5 * line_height + 4, escape_markup(categories[c]));
  }
  draw_svg_frame(svg, frame);
  draw_svg_title(svg, frame, title);
  for (std::size_t k = 0; k < series.size(); ++k) {
    const std::size_t count = std::min(series[k].values.size(), categories.size());
    for (std::size_t c = 0; c < count; ++c) {
      const double value = series[k].values[c];
      if (axis.shows(value)) draw_mark(svg, k, left + dots_width * axis.fraction(value), lane(c, k));
    }
    const double y = svg_top + 8 + svg_legend_line * static_cast<double>(k);
    draw_mark(svg, k, legend + 6, y);
    append_format(svg, "<text x=\"{}\" y=\"{}\">{}</text>\n", legend + 18, y + 4,
                  escape_markup(series[k].label));
  }
  return svg + "</svg>\n";
}

void SvgDots::add(const std::string& category, const std::string& label, double value) {
  auto place = std::find(categories.begin(), categories.end(), category);
  if (place == categories.end()) place = categories.insert(place, category);
  auto line = std::find_if(series.begin(), series.end(), [&](const Series& s) { return s.label == label; });
  if (line == series.end()) line = series.insert(line, Series{.label = label});
  const auto index = static_cast<std::size_t>(place - categories.begin());
  if (line->values.size() <= index) line->values.resize(index + 1, NAN);
  line->values[index] = value;
}

}  // namespace slipstick::internal
