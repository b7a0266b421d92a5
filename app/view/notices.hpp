// What the window tells about events: in a banner above the picture what went wrong, or a question, until it is
// dismissed; and notices that disappear by themselves.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/layout.hpp"
#include "app/ui/widgets.hpp"
#include "kinescope/error.hpp"

namespace kinescope::app {

class Notices {
 public:
  // A button of a question.
  struct Answer {
    std::string text;
    const char* help;
    std::function<void()> act;
  };

  void say(const std::string& notice);
  void complain(const sim::Error& error);  // the error's remedies become buttons
  void ask(const std::string& question, std::vector<Answer> answers);
  void dismiss();
  void pass(double seconds);  // hides the notice when it was shown for long enough

  const std::string& notice() const { return notice_; }  // "": none
  bool has_banner() const { return !banner_.empty(); }
  // Takes the room of the banner, if there is one, from the picture.
  void make_room(const Ui& ui, Box& picture) const;
  // Draws the banner, if there is one, above what make_room() has left of the picture. An answer that was chosen acts.
  // Returns the remedy that was chosen. Either dismisses the banner.
  std::optional<sim::Remedy> draw(Ui& ui, const Box& picture);
  void report(TestIds& ids) const;

 private:
  struct Offer {
    std::string text;
    const char* help;
    float width;
  };
  std::vector<Offer> offers(const Ui& ui) const;
  void draw_text(Ui& ui, const Box& box, float width, ImU32 colour) const;

  std::string banner_, notice_;
  std::vector<sim::Remedy> remedies_;  // what the banner's buttons would do
  std::vector<Answer> answers_;        // the banner asks
  double notice_seconds_ = 0;          // for which the notice stays
};

}  // namespace kinescope::app
