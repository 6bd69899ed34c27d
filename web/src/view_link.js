/** The one connection of the page: to the program that served it. */
const token = new URLSearchParams(location.search).get("token") ?? "";
const address = (path) => `${path}?token=${encodeURIComponent(token)}`;

async function answered(response) {
  if (!response.ok) throw new Error((await response.text()).trim() || `refused with ${response.status}`);
  return response.json();
}

export const ask = async (path) => answered(await fetch(address(path)));

/** Calls `news(state)` for each state, `silence(is_silent)` when the program stops answering, and when it does again. */
export function listen(news, silence) {
  const source = new EventSource(address("events"));
  source.onopen = () => silence(false);
  source.onerror = () => silence(true);
  source.onmessage = (event) => news(JSON.parse(event.data));
}

/** Sends settings at once, but not more often than every tenth of a second; of those in between the last counts. */
export class Sender {
  /** `refused(why)` is called when the program will not; `settled()` when all that was sent has been answered. */
  constructor(refused, settled) {
    this.refused = refused;
    this.settled = settled;
    this.next = null;
    this.busy = false;
    this.number = 0;
  }

  /** Is something under way that the program's state cannot show yet? */
  get pending() {
    return this.busy || this.next !== null;
  }

  async send(settings) {
    this.next = settings;
    if (this.busy) return;
    this.busy = true;
    while (this.next !== null) {
      const body = JSON.stringify(this.next);
      this.next = null;
      try {
        const pause = new Promise((done) => setTimeout(done, 100));
        const reply = await fetch(address("settings"), { method: "POST", body });
        this.number = (await answered(reply)).settings_number;
        if (this.next !== null) await pause;
      } catch (error) {
        this.refused(error.message);
      }
    }
    this.busy = false;
    this.settled();
  }
}
