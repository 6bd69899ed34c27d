import { BufferAttribute, BufferGeometry, Color, Mesh, ShaderMaterial, Vector2 } from "three";

// Every end of a segment knows the other end, and steps aside from the line between them as the picture shows it, by
// its half of the width in pixels. Of lines in the same place the narrow ones are in front of the wide ones.
const vertex_shader = `
attribute vec3 other;
attribute float side;
uniform vec2 size;
#ifdef USE_COLOR
varying vec3 tint;
#endif

void main() {
  vec4 here = modelViewMatrix * vec4(position, 1.0);
  vec4 there = modelViewMatrix * vec4(other, 1.0);
  // What lies behind the eye has no direction in the picture: such a segment is cut just before it.
  if (projectionMatrix[2][3] < 0.0) {
    float near = -projectionMatrix[3][2] / (projectionMatrix[2][2] - 1.0);
    if (here.z > near && there.z < near) here = mix(here, there, (here.z - near) / (here.z - there.z));
    else if (there.z > near && here.z < near) there = mix(there, here, (there.z - near) / (there.z - here.z));
  }
  vec4 from = projectionMatrix * here;
  vec4 to = projectionMatrix * there;
  vec2 along = (to.xy / to.w - from.xy / from.w) * size;
  vec2 across = vec2(-along.y, along.x) / max(length(along), 1e-6);
  from.xy += 2.0 * side * across / size * from.w;
  from.z -= 2e-5 / abs(side) * from.w;
  gl_Position = from;
#ifdef USE_COLOR
  tint = color;
#endif
}`;

const fragment_shader = `
uniform vec3 plain;
uniform float opacity;
#ifdef USE_COLOR
varying vec3 tint;
#endif

void main() {
#ifdef USE_COLOR
  gl_FragColor = vec4(tint, opacity);
#else
  gl_FragColor = vec4(plain, opacity);
#endif
  #include <colorspace_fragment>
}`;

const sides = [1, -1, -1, 1];

/**
 * Segments of a width in pixels, all of them in one mesh. (Instances would be fewer numbers, but a processor that does a
 * graphics card's work takes each of them for a drawing of its own.)
 */
export class WideLines extends Mesh {
  /** Six numbers for each segment in `positions`, and in `colors` unless all have the one `color`; `width` may be a list. */
  constructor(positions, { colors = null, color = "white", width = 1, opacity = 1 } = {}) {
    const count = positions.length / 6;
    const geometry = new BufferGeometry();
    const add = (name, size) =>
      geometry.setAttribute(name, new BufferAttribute(new Float32Array(4 * count * size), size));
    for (const [name, size] of [
      ["position", 3],
      ["other", 3],
      ["side", 1],
    ])
      add(name, size);
    if (colors) add("color", 3);
    const index = new Uint32Array(6 * count);
    for (let k = 0; k < count; ++k) {
      index.set([4 * k, 4 * k + 1, 4 * k + 2, 4 * k + 2, 4 * k + 1, 4 * k + 3], 6 * k);
      const half = (width[k] ?? width) / 2;
      for (let corner = 0; corner < 4; ++corner) geometry.attributes.side.array[4 * k + corner] = half * sides[corner];
      for (let corner = 0; colors && corner < 4; ++corner) {
        const from = 6 * k + (corner < 2 ? 0 : 3);
        geometry.attributes.color.array.set(colors.slice(from, from + 3), 12 * k + 3 * corner);
      }
    }
    geometry.setIndex(new BufferAttribute(index, 1));
    const material = new ShaderMaterial({
      vertexShader: vertex_shader,
      fragmentShader: fragment_shader,
      uniforms: {
        size: { value: new Vector2(1, 1) },
        plain: { value: new Color(color) },
        opacity: { value: opacity },
      },
      vertexColors: Boolean(colors),
      transparent: opacity < 1,
      side: 2,
    });
    super(geometry, material);
    this.frustumCulled = false;
    this.move(positions);
  }

  /** Puts the segments elsewhere. */
  move(positions) {
    const { position, other } = this.geometry.attributes;
    const [here, there] = [position.array, other.array];
    for (let at = 0, to = 0; at < positions.length; at += 6, to += 12) {
      for (let k = 0; k < 3; ++k) {
        const from = positions[at + k];
        const end = positions[at + 3 + k];
        here[to + k] = here[to + 3 + k] = there[to + 6 + k] = there[to + 9 + k] = from;
        here[to + 6 + k] = here[to + 9 + k] = there[to + k] = there[to + 3 + k] = end;
      }
    }
    position.needsUpdate = true;
    other.needsUpdate = true;
  }

  /** Shows the first `count` segments only. */
  show_first(count) {
    this.geometry.setDrawRange(0, 6 * count);
  }

  onBeforeRender(renderer) {
    renderer.getSize(this.material.uniforms.size.value);
    this.material.uniformsNeedUpdate = true;
  }
}
