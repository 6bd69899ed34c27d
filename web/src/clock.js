/** The one time that the animation and every plot show. */
export class Clock {
  constructor(t0, t1) {
    this.t0 = t0;
    this.t1 = t1;
    this.t = t0;
    this.speed = 1;
    this.loop = true;
    this.playing = false;
    this.listeners = [];
    this.patience = 1;
    this.last = 0;
    this.tick = this.tick.bind(this);
  }

  /** Calls `listener(clock)` whenever the time or the state of playing changes. */
  listen(listener) {
    this.listeners.push(listener);
    listener(this);
  }

  /**
   * The same for what costs more than it tells: while the run plays, at most every so many milliseconds, and less
   * often still where drawing is slow and `patience` is called for.
   */
  listen_at_most(interval, listener) {
    let told = -Infinity;
    this.listen(() => {
      const now = performance.now();
      if (this.playing && now - told < interval * this.patience) return;
      told = now;
      listener(this);
    });
  }

  tell() {
    for (const listener of this.listeners) listener(this);
  }

  set(t) {
    this.t = Math.min(this.t1, Math.max(this.t0, t));
    this.tell();
  }

  play() {
    if (this.playing || this.t1 <= this.t0) return;
    if (this.t >= this.t1) this.t = this.t0;
    this.playing = true;
    this.last = performance.now();
    requestAnimationFrame(this.tick);
    this.tell();
  }

  pause() {
    this.playing = false;
    this.tell();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  tick(now) {
    if (!this.playing) return;
    // A page that slept does not jump.
    const passed = Math.min(0.25, Math.max(0, (now - this.last) / 1000));
    this.last = now;
    let t = this.t + passed * this.speed;
    if (t >= this.t1) {
      t = this.loop ? this.t0 : this.t1;
      this.playing = this.loop;
    }
    this.set(t);
    if (this.playing) requestAnimationFrame(this.tick);
  }
}
