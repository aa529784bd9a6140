"use strict";
// Charts, sliders, the key for the search, and what is new: everything else works without a script.
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
    const named = (ts) => new Date(ts * 1000).toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
    const when = { ...axis, values: (_, each) => each.map(named), incrs: [1, 2, 7, 14, 31, 92, 183, 366].map((many) => many * day) };
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

  // Numbers beside sliders.
  document.addEventListener("input", (event) => {
    if (event.target.matches("[data-slider], [data-counts]")) {
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

  // The timeline's moment: asked for while the hand moves, one question at a time, the last counts.
  const slider = document.querySelector("[data-moment]");
  let asking = false, wanted = null, playing = 0;
  async function moment() {
    wanted = slider.value;
    if (asking) return;
    asking = true;
    while (wanted !== null) {
      const step = wanted;
      wanted = null;
      const where = slider.dataset.moment + (slider.dataset.moment.includes("?") ? "&" : "?") + "step=" + step;
      const answer = await fetch(where, { headers: { "hx-request": "true" } });
      if (answer.ok) document.getElementById("moment").innerHTML = await answer.text();
    }
    asking = false;
  }
  function stop(button) {
    clearInterval(playing);
    playing = 0;
    button.textContent = "\u25b6";
    button.setAttribute("aria-label", "Play from here");
  }
  if (slider) {
    slider.addEventListener("input", moment);
    const button = document.querySelector("[data-play]");
    button.addEventListener("click", () => {
      if (playing) return stop(button);
      if (slider.value === slider.max) slider.value = 0;
      button.textContent = "\u275a\u275a";
      button.setAttribute("aria-label", "Pause");
      playing = setInterval(() => {
        slider.value = Number(slider.value) + 1;
        moment();
        if (slider.value === slider.max) stop(button);
      }, 500);
    });
  }

  // The key / brings one to the search; a click elsewhere or Escape closes an open menu.
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea, select, [contenteditable]");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const find = document.getElementById("find");
      if (find) { event.preventDefault(); find.focus(); find.select(); }
    }
    if (event.key === "Escape") close(null);
  });
  function close(but) {
    document.querySelectorAll("details.acts[open]").forEach((each) => { if (each !== but) each.open = false; });
  }
  document.addEventListener("click", (event) => close(event.target.closest("details.acts")));
  if (location.hash === "#right") document.getElementById("right")?.setAttribute("open", "");

  // What is new: told by the server. Lists in the order of time grow on top, and what one reads
  // stays where it is; everything else of the page is shown anew when the reader wants it.
  const live = document.body.dataset.live;
  let growing = false, again = false;
  function lines(root) {
    return new Map([...root.querySelectorAll("[data-line]")].map((each) => [each.dataset.line, each]));
  }
  async function grow() {
    const list = document.querySelector("[data-grows]");
    if (!list || !list.dataset.grows) return;
    again = growing;
    if (growing) return;
    growing = true;
    do {
      again = false;
      const answer = await fetch(location.href, { headers: { "x-live": "yes" } }).catch(() => null);
      const page = answer?.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
      const told = page?.querySelector("[data-grows]");
      if (told) put(list, lines(list), [...lines(told).values()]);
    } while (again);
    growing = false;
  }
  function put(list, known, told) {
    const joins = told.findIndex((each) => known.has(each.dataset.line));
    // More came than a page holds: between them and what is here would be a hole.
    if (joins < 0 && known.size) return;
    const fresh = joins < 0 ? told : told.slice(0, joins);
    fresh.forEach((each) => each.classList.add("fresh"));
    const place = list.matches("table") ? list.tBodies[0] : list;
    place.prepend(...fresh.map((each) => document.importNode(each, true)));
  }
  function news(told) {
    const title = document.title.replace(/^\(\d+\) /, "");
    document.title = told.waiting ? "(" + told.waiting + ") " + title : title;
    const badge = document.querySelector(".proof");
    if (badge && told.proof && badge.textContent !== told.proof) { badge.textContent = told.proof; badge.className = "badge " + told.tone + " proof"; }
    if (!told.fresh) return;
    grow();
    let pill = document.getElementById("news");
    if (!pill) {
      pill = document.createElement("a");
      pill.id = "news";
      pill.className = "button live";
      pill.setAttribute("role", "status");
      pill.href = location.href;
      document.body.append(pill);
    }
    pill.textContent = told.fresh + (told.fresh === 1 ? " new entry" : " new entries") + ": show";
  }
  // Not while the page is still painting.
  if (live) setTimeout(() => {
    const source = new EventSource(live);
    source.onmessage = (event) => news(JSON.parse(event.data));
    addEventListener("pagehide", () => source.close());
  }, 1500);

  ["htmx:after:swap", "htmx:afterSwap"].forEach((name) => document.addEventListener(name, () => look(document)));
  look(document);
})();
