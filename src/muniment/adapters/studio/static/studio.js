"use strict";
// Charts, and the slider's number: everything else works without a script.
(function () {
  function parsed(text) {
    const rows = text.split(";").filter(Boolean).map((each) => each.split("="));
    const days = rows.map(([day]) => Date.parse((day + "-01").slice(0, 10) + "T00:00:00Z") / 1000);
    return [days, rows.map(([, count]) => Number(count))];
  }
  function colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }
  function chart(place) {
    const data = parsed(place.dataset.days);
    const axis = { stroke: colour("--quiet"), grid: { stroke: colour("--line") } };
    // A bar stands for a whole day or month of the log's own time: no hours, whatever zone this is.
    const day = 86400, half = (data[0][1] - data[0][0]) / 2;
    const when = { ...axis, incrs: [1, 2, 7, 14, 31, 92, 183, 366].map((many) => many * day) };
    new uPlot({
      width: Math.max(place.clientWidth, 260), height: 160, legend: { show: false }, cursor: { show: false },
      tzDate: (ts) => uPlot.tzDate(new Date(ts * 1000), "Etc/UTC"),
      scales: { x: { range: (_, first, last) => [first - half, last + half] }, y: { range: (_, __, most) => [0, Math.max(most, 1)] } },
      axes: [when, axis],
      series: [{}, { stroke: colour("--accent"), fill: colour("--accent") + "33", paths: uPlot.paths.bars({ size: [0.7, 40] }) }],
    }, data, place);
  }
  function look(root) {
    root.querySelectorAll(".chart:not([data-drawn])").forEach((place) => {
      place.dataset.drawn = "yes";
      chart(place);
    });
  }
  document.addEventListener("input", (event) => {
    if (event.target.matches("[data-slider]")) {
      document.querySelector("[data-shows=" + event.target.name + "]").textContent = event.target.value;
    }
  });
  // Each press of an arrow is a change of its own: the page is asked for when the hand rests, and
  // the slider has the keyboard again afterwards.
  let resting = 0;
  document.addEventListener("change", (event) => {
    if (!event.target.matches("[data-slider]")) return;
    clearTimeout(resting);
    resting = setTimeout(() => {
      sessionStorage.setItem("at-the-slider", "yes");
      event.target.form.requestSubmit();
    }, 300);
  });
  if (sessionStorage.getItem("at-the-slider")) {
    sessionStorage.removeItem("at-the-slider");
    document.querySelector("[data-slider]")?.focus({ preventScroll: true });
  }
  ["htmx:after:swap", "htmx:afterSwap"].forEach((name) => document.addEventListener(name, () => look(document)));
  look(document);
})();
