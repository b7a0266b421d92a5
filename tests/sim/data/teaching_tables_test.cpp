// Tables in the manner of those that courses and competitions use, opened without options: names, types, label. The
// numbers are made up.
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "tests/sim/data/opening.hpp"
#include "tests/sim/data/table_shapes.hpp"

namespace kinescope::sim::opening_cases::teaching_tables_test {
namespace {

using tests::digits;
using tests::Draws;

// One table; `types` has a letter for each column: i integer, r real, d date, n counter, c category, t text, - empty.
struct Case {
  std::string file, bytes;
  Names names;
  std::string types, label;
  std::size_t rows;
};

// Rows of numbers around the centre of a group, and the group's name; `line` writes one.
template <class Line>
std::string rows_of(std::size_t count, Line line, const std::string& header = "") {
  Draws draw;
  std::string text = header;
  for (std::size_t row = 0; row < count; ++row) text += line(draw, row) + "\n";
  return text;
}

std::string number(Draws& draw, double low, double high, int decimals = 1) {
  return digits(draw.between(low, high), decimals);
}

std::string joined(const Names& cells, const std::string& separator = ",") {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) line += (i > 0 ? separator : "") + cells[i];
  return line;
}

Names flower(Draws& draw, std::size_t row) {
  const double size = static_cast<double>(row % 3);
  return {number(draw, 4.3 + size, 5.5 + size), number(draw, 2, 4), number(draw, 1 + 2 * size, 2 + 2 * size),
          number(draw, 0.1 + size, 0.6 + size), Names{"setosa", "versicolor", "virginica"}[row % 3]};
}

std::vector<Case> flowers_and_birds() {
  return {
      {"iris.csv",
       rows_of(
           60, [](Draws& draw, std::size_t row) { return joined(flower(draw, row)); },
           "sepal_length,sepal_width,petal_length,petal_width,species\n"),
       {"sepal_length", "sepal_width", "petal_length", "petal_width", "species"},
       "rrrrc",
       "species",
       60},
      {"iris-with-id.csv",
       rows_of(
           60, [](Draws& draw, std::size_t row) { return std::to_string(row + 1) + "," + joined(flower(draw, row)); },
           "Id,SepalLengthCm,SepalWidthCm,PetalLengthCm,PetalWidthCm,Species\n"),
       {"Id", "SepalLengthCm", "SepalWidthCm", "PetalLengthCm", "PetalWidthCm", "Species"},
       "nrrrrc",
       "Species",
       60},
      {"penguins.csv",
       rows_of(
           60,
           [](Draws& draw, std::size_t row) {
             const std::string sex = row % 2 ? "MALE" : "FEMALE";
             if (row == 3) return std::string("Adelie,Torgersen,,,,,");
             return joined({Names{"Adelie", "Chinstrap", "Gentoo"}[row % 3], row % 5 ? "Biscoe" : "Dream",
                            number(draw, 35, 50), number(draw, 14, 21), std::to_string(draw.whole(172, 230)),
                            std::to_string(draw.whole(2700, 6300)), row == 9 ? "" : sex});
           },
           "species,island,bill_length_mm,bill_depth_mm,flipper_length_mm,body_mass_g,sex\n"),
       {"species", "island", "bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g", "sex"},
       "ccrriic",
       "",
       60},
      {"abalone.data",
       tests::abalone(),
       {"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8"},
       "crrrrrrri",
       "c0",
       4177},
  };
}

std::vector<Case> people() {
  return {
      {"titanic.csv",
       rows_of(
           60,
           [](Draws& draw, std::size_t row) {
             const std::string ticket = (row % 3 ? "" : "A/5 ") + std::to_string(draw.whole(10000, 400000));
             return joined({std::to_string(row + 1), std::to_string(draw.whole(0, 1)), std::to_string(draw.whole(1, 3)),
                            "\"Doe, Mr. \"\"N" + std::to_string(row) + "\"\"\"", row % 2 ? "male" : "female",
                            row % 7 == 4 ? "" : number(draw, 1, 80, row % 5 == 0 ? 1 : 0), ticket,
                            number(draw, 5, 90, 4), row % 9 == 2 ? "" : "C" + std::to_string(row),
                            draw.one_of({"S", "C", "Q"})});
           },
           "PassengerId,Survived,Pclass,Name,Sex,Age,Ticket,Fare,Cabin,Embarked\n"),
       {"PassengerId", "Survived", "Pclass", "Name", "Sex", "Age", "Ticket", "Fare", "Cabin", "Embarked"},
       "niitcrtrtc",
       "",
       60},
      {"heart.csv",
       rows_of(
           40,
           [](Draws& draw, std::size_t row) {
             return joined({std::to_string(draw.whole(29, 77)), std::to_string(draw.whole(0, 1)),
                            std::to_string(draw.whole(126, 564)), number(draw, 0, 6), std::to_string(row % 2)});
           },
           "age,sex,chol,oldpeak,target\n"),
       {"age", "sex", "chol", "oldpeak", "target"},
       "iiiri",
       "",
       40},
      {"stroke.csv",
       rows_of(
           40,
           [](Draws& draw, std::size_t row) {
             return joined({std::to_string(draw.whole(60, 72900)), row % 2 ? "Male" : "Female", number(draw, 20, 80, 0),
                            row % 8 == 1 ? "N/A" : number(draw, 16, 45),
                            draw.one_of({"formerly smoked", "never smoked", "Unknown"}), std::to_string(row % 3 == 0)});
           },
           "id,gender,age,bmi,smoking_status,stroke\n"),
       {"id", "gender", "age", "bmi", "smoking_status", "stroke"},
       "icirci",
       "",
       40},
      {"adult.data",
       rows_of(50,
               [](Draws& draw, std::size_t row) {
                 return joined(
                     {std::to_string(row % 4 ? draw.whole(17, 50) : draw.whole(45, 90)),
                      row % 6 == 1 ? "?" : draw.one_of({"Private", "State-gov"}),
                      std::to_string(draw.whole(12285, 400000)), draw.one_of({"Bachelors", "HS-grad", "11th"}),
                      std::to_string(draw.whole(1, 99)), row % 4 ? "<=50K" : ">50K"},
                     ", ");
               }),
       {"c0", "c1", "c2", "c3", "c4", "c5"},
       "icicic",
       "c5",
       50},
  };
}

std::vector<Case> things() {
  return {
      {"mpg.csv",
       rows_of(
           40,
           [](Draws& draw, std::size_t row) {
             return joined({number(draw, 9, 46), std::to_string(draw.whole(3, 8)),
                            row % 9 == 5 ? "?" : std::to_string(draw.whole(46, 230)),
                            std::to_string(draw.whole(70, 82)), Names{"usa", "europe", "japan"}[row % 3],
                            "\"car " + std::to_string(row) + "\""});
           },
           "mpg,cylinders,horsepower,model_year,origin,name\n"),
       {"mpg", "cylinders", "horsepower", "model_year", "origin", "name"},
       "riiict",
       "origin",
       40},
      {"diamonds.csv",
       rows_of(
           50,
           [](Draws& draw, std::size_t row) {
             return joined({"\"" + std::to_string(row + 1) + "\"", number(draw, 0.2, 3, 2),
                            draw.one_of({"\"Ideal\"", "\"Premium\"", "\"Good\""}), number(draw, 55, 66),
                            std::to_string(draw.whole(326, 18823)), number(draw, 3, 9, 2)});
           },
           "\"\",\"carat\",\"cut\",\"depth\",\"price\",\"x\"\n"),
       {"c0", "carat", "cut", "depth", "price", "x"},
       "nrcrir",
       "cut",
       50},
      {"wine.data",
       rows_of(45,
               [](Draws& draw, std::size_t row) {
                 return joined({std::to_string(1 + row / 15), number(draw, 11, 15, 2), number(draw, 0.7, 5.8, 2),
                                std::to_string(draw.whole(278, 1680))});
               }),
       {"c0", "c1", "c2", "c3"},
       "irri",
       "",
       45},
      {"winequality-white.csv",
       tests::white_wine(),
       {"fixed acidity", "volatile acidity", "citric acid", "residual sugar", "chlorides", "free sulfur dioxide",
        "total sulfur dioxide", "density", "pH", "sulphates", "alcohol", "quality"},
       "rrrrriirrrri",
       "",
       4898},
      {"housing.csv",
       rows_of(
           40,
           [](Draws& draw, std::size_t row) {
             return joined({number(draw, -124, -114, 2), number(draw, 32, 42, 2), number(draw, 1, 52, 0),
                            row % 10 == 3 ? "" : number(draw, 2, 6000, 1), number(draw, 15000, 500001, 0),
                            draw.one_of({"<1H OCEAN", "INLAND", "NEAR BAY"})});
           },
           "longitude,latitude,housing_median_age,total_bedrooms,median_house_value,ocean_proximity\n"),
       {"longitude", "latitude", "housing_median_age", "total_bedrooms", "median_house_value", "ocean_proximity"},
       "rriric",
       "ocean_proximity",
       40},
      {"airfoil.dat",
       rows_of(40,
               [](Draws& draw, std::size_t) {
                 return joined({std::to_string(draw.whole(200, 20000)), number(draw, 0, 22), number(draw, 0.02, 0.3, 4),
                                number(draw, 31, 72), number(draw, 0.0004, 0.06, 8), number(draw, 103, 141, 3)},
                               "\t");
               }),
       {"c0", "c1", "c2", "c3", "c4", "c5"},
       "irrrrr",
       "",
       40},
  };
}

std::vector<Case> places_and_logs() {
  return {
      {"gapminder.tsv",
       rows_of(
           120,
           [](Draws& draw, std::size_t row) {
             return joined({"Land " + std::to_string(row / 2), std::to_string(row % 2 ? 2002 : 1962),
                            draw.one_of({"Asia", "Europe", "Africa"}), number(draw, 30, 82, 3),
                            std::to_string(draw.whole(100'000, 90'000'000)), number(draw, 300, 40000, 6)},
                           "\t");
           },
           "country\tyear\tcontinent\tlifeExp\tpop\tgdpPercap\n"),
       {"country", "year", "continent", "lifeExp", "pop", "gdpPercap"},
       "ticrir",
       "continent",
       120},
      {"otu.tsv",
       rows_of(
           20,
           [](Draws& draw, std::size_t row) {
             return joined({"OTU_" + std::to_string(row), std::to_string(draw.whole(0, 90)),
                            std::to_string(draw.whole(0, 9)), std::to_string(draw.whole(0, 40))},
                           "\t");
           },
           "# Constructed from biom file\n#OTU ID\tS1\tS2\tS3\n"),
       {"OTU ID", "S1", "S2", "S3"},
       "tiii",
       "",
       20},
      {"umsatz.csv",
       rows_of(
           24,
           [](Draws& draw, std::size_t row) {
             return joined({"F" + std::to_string(row), "2024-0" + std::to_string(1 + row % 9) + "-01",
                            std::to_string(draw.whole(1000, 9000)) + "," + std::to_string(draw.whole(10, 99)),
                            row % 3 ? "Stadt" : "Land"},
                           ";");
           },
           "Filiale;Datum;Umsatz;Lage\n"),
       {"Filiale", "Datum", "Umsatz", "Lage"},
       "tdrc",
       "Lage",
       24},
      {"messung.csv",
       rows_of(
           24,
           [](Draws& draw, std::size_t row) {
             return joined({digits(0.1 * static_cast<double>(row), 1), number(draw, 0, 20, 2), number(draw, 0, 3, 3)});
           },
           "time,force,displacement\n(s),(N),(mm)\n"),
       {"time", "force", "displacement"},
       "rrr",
       "",
       24},
      {"sensors.csv",
       rows_of(
           30,
           [](Draws& draw, std::size_t row) {
             return joined({"2024-03-0" + std::to_string(1 + row / 10) + "T0" + std::to_string(row % 10) + ":30:00Z",
                            number(draw, 15, 25), number(draw, 30, 60), row % 3 ? "ok" : "low"});
           },
           "timestamp,temperature,humidity,status\n"),
       {"timestamp", "temperature", "humidity", "status"},
       "drrc",
       "status",
       30},
      {"words.txt",
       rows_of(
           20,
           [](Draws& draw, std::size_t row) {
             return joined({row == 7 ? "\"" : "word" + std::to_string(row), number(draw, -1, 1, 4),
                            number(draw, -1, 1, 4), number(draw, -1, 1, 4)},
                           " ");
           },
           "20 3\n"),
       {"c0", "c1", "c2", "c3"},
       "trrr",
       "",
       20},
      {"indicators.csv",
       rows_of(
           20,
           [](Draws& draw, std::size_t row) {
             return joined({"\"Land " + std::to_string(row) + "\"", "\"L" + std::to_string(row) + "\"",
                            row % 6 ? "\"" + number(draw, 1, 90, 6) + "\"" : "\"\"",
                            "\"" + number(draw, 1, 90, 6) + "\""}) +
                    ",";
           },
           "\"Country Name\",\"Country Code\",\"1960\",\"1961\",\n"),
       {"Country Name", "Country Code", "1960", "1961", "c4"},
       "ttrr-",
       "",
       20},
  };
}

std::string types_of(const Findings& findings) {
  std::string types;
  for (const ColumnFinding& column : findings.columns) types += "irdnct-"[static_cast<std::size_t>(column.kind)];
  return types;
}

void expect_opened(const Case& table) {
  SCOPED_TRACE(table.file);
  // A folder to keep the tables in, to look at their pictures.
  if (const char* folder = std::getenv("KINESCOPE_KEEP_TABLES"))
    std::ofstream(std::string(folder) + "/" + table.file, std::ios::binary) << table.bytes;
  const auto data = open(table.bytes, {}, table.file);
  const Findings& findings = *data->findings;
  Names names;
  for (const ColumnFinding& column : findings.columns) names.push_back(column.name);
  EXPECT_EQ(names, table.names);
  EXPECT_EQ(findings.rows, table.rows);
  EXPECT_EQ(types_of(findings), table.types);
  if (!table.label.empty()) EXPECT_EQ(data->label_name, table.label);
}

TEST(TeachingTables, OpenWithTheRightNamesTypesAndLabel) {
  std::size_t count = 0;
  for (const auto& group : {flowers_and_birds(), people(), things(), places_and_logs()})
    for (const Case& table : group) expect_opened(table), ++count;
  EXPECT_GE(count, 20u);
}

}  // namespace
}  // namespace kinescope::sim::opening_cases::teaching_tables_test
