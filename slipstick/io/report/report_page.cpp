// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/report/report_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "slipstick/base/append_format.hpp"
#include "slipstick/io/markup.hpp"
#include "slipstick/io/report/page_style.hpp"
#include "slipstick/version.hpp"

namespace slipstick::internal::report {
namespace {

// A table with more rows than these is folded.
constexpr std::size_t most_open_rows = 40;

// "12,345"
std::string grouped(std::size_t count) {
  const std::string digits = fmt::format("{}", count);
  std::string text;
  for (std::size_t k = 0; k < digits.size(); ++k) {
    if (k > 0 && (digits.size() - k) % 3 == 0) text += ',';
    text += digits[k];
  }
  return text;
}

std::string rows_text(std::size_t count) {
  return (count == 0 ? "no" : grouped(count)) + (count == 1 ? " row" : " rows");
}

// A note of a table, or what it says about where it comes from: "key: value".
struct Remark {
  std::string key;
  std::string text;
};

Remark remark_of(const std::string& comment) {
  const std::size_t colon = comment.find(": ");
  const std::string key = comment.substr(0, std::min(colon, comment.size()));
  if (colon == comment.npos || key.empty() || key.find(' ') != key.npos) return {"", comment};
  return {key, comment.substr(colon + 2)};
}

void append_provenance(std::string& html, const CsvTable& table) {
  std::string list, notes;
  for (const std::string& comment : table.comments()) {
    const auto [key, text] = remark_of(comment);
    if (text.empty()) continue;
    if (key.empty()) {
      append_format(notes, "<p class=\"note\">{}</p>\n", escape_markup(text));
    } else {
      append_format(list, "<dt>{}</dt><dd>{}</dd>\n", escape_markup(key), escape_markup(text));
    }
  }
  if (!list.empty()) append_format(html, "<dl>\n{}</dl>\n", list);
  html += notes;
}

// Whether a column is one of texts, or of numbers, which stand to the right.
using ColumnKinds = std::vector<bool>;

void append_head(std::string& html, std::string_view caption, const std::vector<std::string>& columns,
                 const ColumnKinds& is_text) {
  append_format(html,
                "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\">\n"
                "<table>\n<caption>{0}</caption>\n<thead><tr>",
                escape_markup(caption));
  for (std::size_t k = 0; k < columns.size(); ++k)
    append_format(html, "<th scope=\"col\"{}>{}</th>", is_text[k] ? " class=\"t\"" : "",
                  escape_markup(columns[k]));
  html += "</tr></thead>\n<tbody>\n";
}

constexpr std::string_view table_end = "</tbody>\n</table>\n</div>\n";

// Long texts are broken into lines.
void append_cell(std::string& html, std::string_view text, bool is_text) {
  const bool is_long = text.size() > 60;
  append_format(html, "<td{}>{}</td>",
                is_long   ? " class=\"t l\""
                : is_text ? " class=\"t\""
                          : "",
                escape_markup(text));
}

void append_summary(std::string& html, const Summary& summary) {
  ColumnKinds is_text(summary.columns.size(), false);
  is_text.front() = true;
  append_head(html, summary.caption, summary.columns, is_text);
  for (const std::vector<std::string>& row : summary.rows) {
    html += "<tr>";
    for (std::size_t k = 0; k < row.size(); ++k) append_cell(html, row[k], is_text[k]);
    html += "</tr>\n";
  }
  html += table_end;
}

std::string rows_caption(const ReportPart& part, std::size_t stride) {
  if (stride == 1) return fmt::format("All rows of {}", part.name);
  return fmt::format("One row in {} of {}, the last one included; the file has all {}", stride, part.name,
                     rows_text(part.table.rows()));
}

void append_rows(std::string& html, const ReportPart& part) {
  const CsvTable& table = part.table;
  if (table.rows() == 0) {
    html += "<p>The table has no rows.</p>\n";
    return;
  }
  const std::size_t stride = (table.rows() + most_rows_shown - 1) / most_rows_shown;
  ColumnKinds is_text;
  const std::vector<std::string> texts = split_header(part.kind->texts);
  for (const std::string& column : table.columns())
    is_text.push_back(std::find(texts.begin(), texts.end(), column) != texts.end());
  const bool folded = table.rows() > most_open_rows;
  if (folded) append_format(html, "<details>\n<summary>The table: {}</summary>\n", rows_text(table.rows()));
  append_head(html, rows_caption(part, stride), table.columns(), is_text);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (row % stride != 0 && row + 1 != table.rows()) continue;
    html += "<tr>";
    for (std::size_t k = 0; k < table.columns().size(); ++k)
      append_cell(html, table.cell(row, k), is_text[k]);
    html += "</tr>\n";
  }
  html += table_end;
  if (folded) html += "</details>\n";
}

void append_part(std::string& html, const ReportPart& part, std::size_t number) {
  append_format(html,
                "<section id=\"part-{0}\" aria-labelledby=\"title-{0}\">\n"
                "<h2 id=\"title-{0}\">{1} ({2})</h2>\n"
                "<p>{3}: {4}. {5}</p>\n",
                number, escape_markup(part.kind->title),
                escape_markup(std::filesystem::path(part.name).filename().string()), escape_markup(part.name),
                rows_text(part.table.rows()), escape_markup(part.kind->summary));
  append_provenance(html, part.table);
  // Overviews first. The last summaries belong to one figure each.
  const std::size_t overviews = part.summaries.size() - std::min(part.summaries.size(), part.figures.size());
  for (std::size_t k = 0; k < overviews; ++k) append_summary(html, part.summaries[k]);
  for (std::size_t k = 0; k < part.figures.size(); ++k) {
    append_format(html, "<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n", part.figures[k].svg,
                  escape_markup(part.figures[k].caption));
    if (overviews + k < part.summaries.size()) append_summary(html, part.summaries[overviews + k]);
  }
  append_rows(html, part);
  html += "</section>\n";
}

// Several histories in one figure.
void append_histories(std::string& html, const std::vector<ReportPart>& parts) {
  constexpr std::size_t most_curves = 20;
  std::vector<std::pair<std::string, const CsvTable*>> histories;
  for (const ReportPart& part : parts)
    if (part.kind->draw == history_figures && part.table.rows() > 0)
      histories.emplace_back(part.name, &part.table);
  if (histories.size() < 2 || histories.size() > most_curves) return;
  append_format(
      html,
      "<section aria-labelledby=\"histories\">\n<h2 id=\"histories\">All histories</h2>\n<figure>\n{}"
      "<figcaption>The errors of the histories below over the iterations.</figcaption>\n</figure>\n"
      "</section>\n",
      histories_plot(histories).render());
}

}  // namespace

ReportPart::ReportPart(CsvTable own_table, std::string own_name)
    : table(std::move(own_table)),
      name(std::move(own_name)),
      kind(&kind_of(table)),
      figures(figures_of(*kind, table)),
      summaries(summaries_of(*kind, table)) {}

std::string report_page(const std::vector<ReportPart>& parts, std::string_view title) {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n"
      "<title>{0}</title>\n<style>\n{1}</style>\n</head>\n<body>\n<header>\n<h1>{0}</h1>\n"
      "<p>Made by slipstick {2} from {3} table{4}. Every figure is drawn from the table below it.</p>\n",
      escape_markup(title), page_style, version(), parts.size(), parts.size() == 1 ? "" : "s");
  if (parts.size() > 1) {
    html += "<nav aria-label=\"Tables\">\n<ul>\n";
    for (std::size_t k = 0; k < parts.size(); ++k)
      append_format(html, "<li><a href=\"#part-{}\">{}</a> ({})</li>\n", k + 1,
                    escape_markup(parts[k].kind->title), escape_markup(parts[k].name));
    html += "</ul>\n</nav>\n";
  }
  html += "</header>\n<main>\n";
  append_histories(html, parts);
  for (std::size_t k = 0; k < parts.size(); ++k) append_part(html, parts[k], k + 1);
  return html + "</main>\n</body>\n</html>\n";
}

}  // namespace slipstick::internal::report
