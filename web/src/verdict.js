import { button, h, short } from "./dom.js";
import { brief, counted } from "./numbers.js";

const signs = { good: "✓", look: "!", bad: "✗", plain: "·" };
const words = { good: "good", look: "look closely", bad: "bad", plain: "for information" };
const worst = (levels) => ["bad", "look", "good"].find((level) => levels.includes(level)) ?? "plain";

const ended = ({ verdict, outcome }) => (verdict === "contradictory" ? verdict : outcome);

/** How the run ended: in a sentence for the top, and what it means for the card. */
function outcome(run) {
  const { summary } = run;
  if (!summary) {
    const text = "The run was ended before it could sum up. What it had written until then is shown.";
    return { level: "look", title: "Cut off", text, sentence: `Cut off. ${text}` };
  }
  const at = `t = ${brief(summary.t_end, 6)} s`.replaceAll(" ", "\u00a0");
  if (summary.outcome === "done" && summary.steps === 0) {
    const text = "Nothing was simulated: the page shows the initial state.";
    return { level: "good", title: "Initial state", text, sentence: text };
  }
  if (summary.verdict === "lost") {
    const text = `The run went through to ${at}, and its result cannot be trusted.`;
    return { level: "bad", title: "Lost", text, sentence: `Not to be trusted: ${summary.verdict_reason}.` };
  }
  if (summary.outcome === "done" && !summary.limit_broken) {
    return {
      level: "good",
      aside: true,
      title: "Done",
      text: `The run went through to ${at} in ${counted(summary.steps, "step")}.`,
    };
  }
  const kinds = {
    contradictory: ["bad", "Contradictory constraints"],
    failed: ["bad", "Could not go on"],
    interrupted: ["look", "Interrupted"],
    stopped: ["good", "Stopped"],
  };
  const [level, title] = summary.limit_broken ? ["bad", "Limit broken"] : (kinds[ended(summary)] ?? kinds.failed);
  const until = run.options.find(([name]) => name === "until")?.[1];
  const text = `${brief(summary.t_end, 6)} of ${until ? brief(Number(until), 6) : "?"} s were simulated, in ${counted(summary.steps, "step")}.`;
  return { level, title, text, sentence: `${title} at ${at}${summary.reason ? `: ${summary.reason}` : ""}.` };
}

/** Which constraint was off the most, and the time at which any was. */
function worst_violation({ summary, steps }, level) {
  const size = (name) => summary.violations?.[name]?.[level] ?? -1;
  const names = Object.keys(summary.violations ?? {});
  const name = names.length > 0 ? names.reduce((a, b) => (size(b) > size(a) ? b : a)) : null;
  const column = steps.columns.find((one) => one.name === level);
  let at = -1;
  column?.values.forEach((value, k) => {
    if (at < 0 || value > column.values[at]) at = k;
  });
  return { name, t: at < 0 ? null : steps.t[at] };
}

const kept = { done: "good", stopped: "good", drifted: "look", contradictory: "bad" };

/** As the run itself judged; where it could not, or lost something else, by the share of the sizes that are constrained. */
function kept_level(summary, largest) {
  const shares = [summary.relative_position_violation, summary.relative_velocity_violation].filter(Number.isFinite);
  const share = shares.length > 0 ? Math.max(...shares) : largest;
  return kept[summary.verdict] ?? (share <= 1e-6 ? "good" : share <= 1e-3 ? "look" : "bad");
}

function constraints(run) {
  const { summary } = run;
  if (!summary) return null;
  if (summary.constraints === 0)
    return { level: "plain", title: "No constraints", text: "The model has none to keep." };
  const { max_position_violation: position, max_velocity_violation: velocity } = summary;
  const largest = Math.max(position ?? 0, velocity ?? 0);
  const known = position !== null || velocity !== null;
  const level = known ? kept_level(summary, largest) : "bad";
  const parts = [];
  if (position !== null) parts.push(`${brief(position, 2)} in position`);
  if (velocity !== null) parts.push(`${brief(velocity, 2)} in velocity`);
  const title = { good: "Constraints held", look: "Constraints drifted", bad: "Constraints did not hold" }[
    level
  ];
  if (!known) return { level, title, text: "A violation is not a finite number." };
  if (level === "good") return { level, title, text: `Held to ${parts.join(", ")}.` };
  const { name, t } = worst_violation(run, (position ?? 0) >= (velocity ?? 0) ? "position" : "velocity");
  const where = `${name ? ` ${short(name, 40)} the most` : ""}${t === null ? "" : `, at t = ${brief(t, 4)} s`}`;
  return { level, title, text: `Off by ${parts.join(", ")}${where ? `:${where.replace(/^,/, "")}` : ""}.`, t };
}

/** Against the largest kinetic energy of the run, where it is known. Only the run's own verdict makes it bad. */
function energy(run) {
  const error = run.summary?.max_energy_error;
  if (!run.summary) return null;
  if (error === null || error === undefined) {
    return { level: "plain", title: "No energy balance", text: "The model has no energy to check." };
  }
  const kinetic = run.rows.columns.find((column) => column.name === "kinetic energy");
  const scale = kinetic ? kinetic.values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) : 0;
  const share = scale > 0 ? error / scale : null;
  const bad = share > 1e-2 && ["lost", "failed"].includes(run.summary.verdict);
  const level = share === null ? "plain" : share <= 1e-4 ? "good" : bad ? "bad" : "look";
  const title = { good: "Energy kept", plain: "Energy error", look: "Energy drifted", bad: "Energy not kept" }[
    level
  ];
  const of_all = share === null ? "" : `, ${brief(share, 2)} of the largest kinetic energy`;
  const said = level === "look" || level === "bad" ? "The balance is off by" : "The balance holds to";
  return { level, title, text: `${said} ${brief(error, 2)}${of_all}.` };
}

function rank({ summary }) {
  if (!summary || summary.constraints === 0 || summary.verdict === "contradictory") return null;
  const { min, max } = summary.rank;
  const changes = min !== max;
  const dependent = summary.dependent.length;
  const number = changes ? `between ${min} and ${max}` : String(max);
  const implied =
    dependent > 0 ? ` ${counted(dependent, "constraint follows", "constraints follow")} from the others.` : "";
  return {
    level: changes ? "look" : "good",
    aside: !changes,
    title: changes ? "Rank changed" : dependent > 0 ? "Redundant, handled" : "Full rank",
    text: `Rank ${number} of ${summary.constraints}, ${counted(summary.degrees_of_freedom, "degree of freedom", "degrees of freedom")}.${implied}`,
  };
}

function events(run) {
  if (!run.summary) return null;
  if (run.events.length === 0)
    return { level: "plain", aside: true, title: "No events", text: "Nothing out of the ordinary happened." };
  const kinds = new Map();
  for (const { kind } of run.events) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const text = [...kinds]
    .map(([kind, n]) =>
      kind === "passage" ? counted(n, "singular position was crossed", "singular positions were crossed") : `${n} × ${kind}`,
    )
    .join(", ");
  return { level: kinds.has("limit") ? "bad" : "plain", title: counted(run.events.length, "event"), text: `${text}.` };
}

const headlines = {
  good: "All is well: the run went through and its constraints held.",
  look: "The run is usable, but something deserves a look.",
  bad: "Something went wrong",
  plain: "The run went through.",
};

/** What went wrong is said at once. */
function headline_of(run, cards, level) {
  if (cards[0].sentence) return cards[0].sentence;
  if (level === "good" && run.summary.constraints === 0) return "All is well: the run went through.";
  if (level !== "bad") return headlines[level];
  const titles = cards.filter((card) => card.level === "bad").map(({ title }) => title.toLowerCase());
  return `${headlines.bad}: ${titles.join(", ")}.`;
}

/** The verdict in words and colours; with a clock, a button goes to where it was worst. */
export function verdict(run, clock) {
  const cards = [outcome(run), constraints(run), energy(run), rank(run), events(run)].filter(Boolean);
  const level = worst(cards.map((card) => card.level));
  const headline = headline_of(run, cards, level);
  return h(
    "section",
    { className: `verdict ${level}`, "aria-label": "Verdict" },
    h(
      "p",
      { className: "headline" },
      h("span", { className: "sign", "aria-hidden": "true" }, signs[level]),
      " ",
      headline,
    ),
    h(
      "ul",
      { className: "cards" },
      cards.map((card) =>
        h(
          "li",
          { className: `card ${card.level}${card.aside && level !== "bad" ? " aside" : ""}` },
          h("span", { className: "sign", role: "img", "aria-label": words[card.level] }, signs[card.level]),
          h(
            "div",
            {},
            h("strong", {}, card.title),
            h("p", {}, card.text),
            clock && Number.isFinite(card.t)
              ? button("Go there", () => clock.set(card.t), { title: `To t = ${brief(card.t, 4)} s` })
              : null,
          ),
        ),
      ),
    ),
  );
}
