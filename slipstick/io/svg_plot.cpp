// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/svg_plot.hpp"

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

// The page, in pixels.
constexpr SvgFrame plot_frame{.left = 76, .top = svg_top, .width = 560, .height = 360};
constexpr double legend_sample = 30;
constexpr std::size_t most_points = 4000;  ///< of a line; beyond this, one pixel has many

// They change every five series, so twenty series differ.
constexpr std::string_view dashes[] = {"", "8 4", "2 3", "9 3 2 3"};
std::string_view dash_of(std::size_t series) {
  return dashes[series / 5 % std::size(dashes)];
}

struct Point {
  double x, y;  // pixels; NaN: the line is interrupted
};

// A point that cannot be shown interrupts the line.
std::vector<Point> points_of(const SvgPlot::Series& series, const SvgAxis& x, const SvgAxis& y) {
  std::vector<Point> points;
  const std::size_t count = std::min(series.x.size(), series.y.size());
  points.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    const bool shown = x.shows(series.x[k]) && y.shows(series.y[k]);
    points.push_back(shown ? Point{plot_frame.left + plot_frame.width * x.fraction(series.x[k]),
                                   plot_frame.top + plot_frame.height * (1.0 - y.fraction(series.y[k]))}
                           : Point{NAN, NAN});
  }
  return points;
}

// Of the points in the same half of a pixel, one after the other, the first, the lowest, the highest and the
// last. To the eye the line is the same.
std::vector<Point> thinned(const std::vector<Point>& points) {
  std::vector<Point> kept;
  for (std::size_t first = 0, end = 0; first < points.size(); first = end) {
    const double column = std::floor(2.0 * points[first].x);
    std::size_t low = first, high = first, last = first;
    // A gap inside the half pixel is not seen. One behind it stays.
    for (end = first + 1; end < points.size(); ++end) {
      if (std::isnan(points[end].y)) continue;
      if (std::floor(2.0 * points[end].x) != column) break;
      if (points[end].y < points[low].y) low = end;
      if (points[end].y > points[high].y) high = end;
      last = end;
    }
    if (!std::isnan(column)) end = last + 1;
    const std::size_t order[] = {first, std::min(low, high), std::max(low, high), last};
    for (std::size_t k = 0; k < std::size(order); ++k)
      if (k == 0 || order[k] != order[k - 1]) kept.push_back(points[order[k]]);
  }
  return kept;
}

void draw_series(std::string& svg, const SvgPlot::Series& series, std::size_t number, const SvgAxis& x,
                 const SvgAxis& y) {
  std::vector<Point> points = points_of(series, x, y);
  if (points.size() > most_points) points = thinned(points);
  const auto shown = [&](std::size_t k) { return k < points.size() && !std::isnan(points[k].y); };
  std::string path;
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (!shown(k)) continue;
    const auto [px, py] = points[k];
    const bool starts = k == 0 || !shown(k - 1);
    if (starts && !shown(k + 1)) {
      append_format(svg, "<circle class=\"k{} mark\" cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"2.5\" fill=\"{}\"/>\n",
                    number % svg_colours, px, py, svg_colour(number));
    } else if (starts) {
      append_format(path, "M{:.2f} {:.2f}", px, py);
    } else if (series.steps) {
      append_format(path, "H{:.2f}V{:.2f}", px, py);
    } else {
      append_format(path, "L{:.2f} {:.2f}", px, py);
    }
  }
  if (path.empty()) return;
  append_format(svg,
                "<path class=\"k{}\" d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\" "
                "stroke-linejoin=\"round\" stroke-dasharray=\"{}\"/>\n",
                number % svg_colours, path, svg_colour(number),
                dash_of(number).empty() ? "none" : dash_of(number));
}

void draw_legend(std::string& svg, const SvgPlot& plot) {
  const double x = plot_frame.left + plot_frame.width + svg_legend_gap;
  for (std::size_t k = 0; k < plot.series.size(); ++k) {
    const double y = plot_frame.top + 8 + svg_legend_line * static_cast<double>(k);
    append_format(svg,
                  "<path class=\"k{}\" d=\"M{} {}h{}\" stroke=\"{}\" stroke-width=\"2.2\" "
                  "stroke-dasharray=\"{}\"/>\n"
                  "<text x=\"{}\" y=\"{}\">{}</text>\n",
                  k % svg_colours, x, y, legend_sample, svg_colour(k),
                  dash_of(k).empty() ? "none" : dash_of(k), x + legend_sample + 8, y + 4,
                  escape_markup(plot.series[k].label));
  }
}

SvgAxis axis_of(const SvgPlot& plot, std::vector<double> SvgPlot::Series::*values, bool logarithmic) {
  std::vector<const std::vector<double>*> lists;
  for (const SvgPlot::Series& series : plot.series) lists.push_back(&(series.*values));
  return make_svg_axis(lists, logarithmic);
}

}  // namespace

std::string SvgPlot::render() const {
  const SvgAxis x = axis_of(*this, &Series::x, log_x);
  const SvgAxis y = axis_of(*this, &Series::y, log_y);

  // The legend stands to the right, so the page grows with its longest label and with the number of series.
  double label_width = 0.0;
  for (const Series& line : series) label_width = std::max(label_width, svg_text_width(line.label));
  const double legend_width = series.empty() ? 0.0 : svg_legend_gap + legend_sample + 8 + label_width;
  const double width = plot_frame.left + plot_frame.width + legend_width + 24;
  const double height = plot_frame.top + svg_bottom +
                        std::max(plot_frame.height, svg_legend_line * static_cast<double>(series.size()));

  std::string svg = begin_svg(width, height, title);
  draw_x_axis(svg, plot_frame, x, x_label);
  draw_y_axis(svg, plot_frame, y, y_label);
  draw_svg_frame(svg, plot_frame);
  draw_svg_title(svg, plot_frame, title);
  for (std::size_t k = 0; k < series.size(); ++k) draw_series(svg, series[k], k, x, y);
  draw_legend(svg, *this);
  svg += "</svg>\n";
  return svg;
}

void SvgPlot::add_point(const std::string& label, double x, double y) {
  const auto has_label = [&](const Series& line) { return line.label == label; };
  auto found = std::find_if(series.begin(), series.end(), has_label);
  if (found == series.end()) found = series.insert(found, Series{.label = label});
  found->x.push_back(x);
  found->y.push_back(y);
}

}  // namespace slipstick::internal
