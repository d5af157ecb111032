// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/svg_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "slipstick/base/append_format.hpp"

namespace slipstick::internal {
namespace {

// The page, in pixels.
constexpr double left = 76, top = 44, plot_width = 560, plot_height = 360, bottom = 56;
constexpr double legend_gap = 20, legend_sample = 30, legend_line = 20, letter_width = 7;

// Colours that colour-blind readers can tell apart, also on paper. The dashes change every five series, so
// twenty series differ.
constexpr std::string_view colours[] = {"#0072b2", "#d55e00", "#009e73", "#b0307a", "#000000",
                                        "#e69f00", "#56b4e9", "#7a4fb5", "#8c564b", "#6b6b6b"};
constexpr std::string_view dashes[] = {"", "8 4", "2 3", "9 3 2 3"};

std::string_view colour_of(std::size_t series) {
  return colours[series % std::size(colours)];
}
std::string_view dash_of(std::size_t series) {
  return dashes[series / 5 % std::size(dashes)];
}

// Length of the well-formed UTF-8 sequence at the start of the text, 0 if there is none.
std::size_t utf8_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xc2 ? 0
                             : first < 0xe0 ? 2
                             : first < 0xf0 ? 3
                             : first < 0xf5 ? 4
                                            : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((static_cast<unsigned char>(text[k]) & 0xc0) != 0x80) return 0;
  }
  return length;
}

// Characters that XML does not allow become question marks.
std::string escape_markup(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const char c = text.front();
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '"') {
      result += "&quot;";
    } else if (length == 0 || (length == 1 && static_cast<unsigned char>(c) < ' ')) {
      result += '?';
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

double text_width(std::string_view text) {
  const auto letters = std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; });
  return letter_width * static_cast<double>(letters);
}

struct Tick {
  double value;       // on the axis' own scale
  std::string label;  // as SVG; empty for a minor tick
};

// One axis. If it is logarithmic, low, high and the ticks are logarithms to base ten.
struct Axis {
  bool logarithmic = false;
  double low = 0.0;
  double high = 1.0;
  std::vector<Tick> ticks;

  /// Values that would overflow the range are not drawn either.
  bool shows(double value) const { return std::abs(value) < 1e300 && (!logarithmic || value > 0.0); }
  double scale(double value) const { return logarithmic ? std::log10(value) : value; }
  /// In [0, 1] along the axis.
  double fraction(double value) const { return (scale(value) - low) / (high - low); }
};

void add_linear_ticks(Axis& axis) {
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

void add_decade_ticks(Axis& axis) {
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

Axis make_axis(const std::vector<SvgPlot::Series>& series, std::vector<double> SvgPlot::Series::*values,
               bool logarithmic) {
  Axis axis;
  axis.logarithmic = logarithmic;
  double low = INFINITY;
  double high = -INFINITY;
  for (const auto& line : series) {
    for (const double value : line.*values) {
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

double x_pixel(const Axis& axis, double value) {
  return left + plot_width * axis.fraction(value);
}
double y_pixel(const Axis& axis, double value) {
  return top + plot_height * (1.0 - axis.fraction(value));
}

// The path of a series. A point that is left out interrupts it.
void draw_series(std::string& svg, const SvgPlot::Series& series, std::size_t number, const Axis& x,
                 const Axis& y) {
  const std::size_t count = std::min(series.x.size(), series.y.size());
  const auto shows = [&](std::size_t k) { return k < count && x.shows(series.x[k]) && y.shows(series.y[k]); };
  std::string path;
  for (std::size_t k = 0; k < count; ++k) {
    if (!shows(k)) continue;
    const double px = x_pixel(x, series.x[k]);
    const double py = y_pixel(y, series.y[k]);
    const bool starts = k == 0 || !shows(k - 1);
    if (starts && !shows(k + 1)) {
      append_format(svg, "<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"2.5\" fill=\"{}\"/>\n", px, py,
                    colour_of(number));
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
                "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\" stroke-linejoin=\"round\" "
                "stroke-dasharray=\"{}\"/>\n",
                path, colour_of(number), dash_of(number).empty() ? "none" : dash_of(number));
}

void draw_axes(std::string& svg, const SvgPlot& plot, const Axis& x, const Axis& y) {
  for (const Tick& tick : x.ticks) {
    const double px = left + plot_width * (tick.value - x.low) / (x.high - x.low);
    append_format(svg, "<path d=\"M{:.2f} {}V{}\" stroke=\"{}\"/>\n", px, top, top + plot_height,
                  tick.label.empty() ? "#f1f1f1" : "#dcdcdc");
    if (tick.label.empty()) continue;
    append_format(svg, "<text x=\"{:.2f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", px,
                  top + plot_height + 20, tick.label);
  }
  for (const Tick& tick : y.ticks) {
    const double py = top + plot_height * (1.0 - (tick.value - y.low) / (y.high - y.low));
    append_format(svg, "<path d=\"M{} {:.2f}H{}\" stroke=\"{}\"/>\n", left, py, left + plot_width,
                  tick.label.empty() ? "#f1f1f1" : "#dcdcdc");
    if (tick.label.empty()) continue;
    append_format(svg, "<text x=\"{}\" y=\"{:.2f}\" text-anchor=\"end\">{}</text>\n", left - 8, py + 4,
                  tick.label);
  }
  append_format(svg,
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#404040\"/>\n",
                left, top, plot_width, plot_height);
  append_format(svg, "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", left + plot_width / 2,
                top + plot_height + 44, escape_markup(plot.x_label));
  append_format(svg, "<text transform=\"translate({} {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                20, top + plot_height / 2, escape_markup(plot.y_label));
  append_format(svg, "<text x=\"{}\" y=\"26\" text-anchor=\"middle\" font-size=\"16\">{}</text>\n",
                left + plot_width / 2, escape_markup(plot.title));
}

void draw_legend(std::string& svg, const SvgPlot& plot) {
  const double x = left + plot_width + legend_gap;
  for (std::size_t k = 0; k < plot.series.size(); ++k) {
    const double y = top + 8 + legend_line * static_cast<double>(k);
    append_format(svg,
                  "<path d=\"M{} {}h{}\" stroke=\"{}\" stroke-width=\"2.2\" stroke-dasharray=\"{}\"/>\n"
                  "<text x=\"{}\" y=\"{}\">{}</text>\n",
                  x, y, legend_sample, colour_of(k), dash_of(k).empty() ? "none" : dash_of(k),
                  x + legend_sample + 8, y + 4, escape_markup(plot.series[k].label));
  }
}

}  // namespace

std::string SvgPlot::render() const {
  const Axis x = make_axis(series, &Series::x, log_x);
  const Axis y = make_axis(series, &Series::y, log_y);

  // The legend stands to the right, so the page grows with its longest label and with the number of series.
  double label_width = 0.0;
  for (const Series& line : series) label_width = std::max(label_width, text_width(line.label));
  const double legend_width = series.empty() ? 0.0 : legend_gap + legend_sample + 8 + label_width;
  const double width = left + plot_width + legend_width + 24;
  const double height =
      top + bottom + std::max(plot_height, legend_line * static_cast<double>(series.size()));

  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
      "{1:.0f}\" "
      "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\" fill=\"#202020\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
      width, height);
  draw_axes(svg, *this, x, y);
  for (std::size_t k = 0; k < series.size(); ++k) draw_series(svg, series[k], k, x, y);
  draw_legend(svg, *this);
  svg += "</svg>\n";
  return svg;
}

}  // namespace slipstick::internal
