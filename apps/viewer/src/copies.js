// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
import {
  BufferAttribute, DataTexture, DoubleSide, FloatType, InstancedBufferGeometry, Mesh, MeshDepthMaterial, NearestFilter, RGBADepthPacking, RGBAFormat,
} from 'three';

// Many copies of one geometry in one draw. Places, turns, sizes and colours are read from textures.
//
// A device draws each copy as an instance. Software pays for every instance as for a draw of its own, so there an instance is a bundle
// of copies: the geometry repeated, with the number of the copy at each vertex.

const TEXELS_PER_ROW = 1024;
const BUNDLED_VERTICES = 60000;
const BUNDLED_COPIES = 512;

const DECLARATIONS = `
#include <common>
attribute float copy;
uniform highp sampler2D poseMap;
uniform highp sampler2D sizeMap;
uniform vec3 commonSize;
uniform bool sizesDiffer;
uniform int copies;
uniform int bundle;
vec4 copyTexel(highp sampler2D map, int number) {
  return texelFetch(map, ivec2(number & ${TEXELS_PER_ROW - 1}, number >> ${Math.log2(TEXELS_PER_ROW)}), 0);
}
vec3 turned(vec4 q, vec3 v) {
  vec3 t = 2.0 * cross(q.xyz, v);
  return v + q.w * t + cross(q.xyz, t);
}`;

/** How copies turn their few faces towards the viewer. A box has its three visible faces, a ball is a dome. */
const FACING = {
  none: `
  vec4 copyTurn = copyTexel(poseMap, 2 * copyNumber + 1);`,
  box: `
  vec4 copyTurn = copyTexel(poseMap, 2 * copyNumber + 1);
  vec3 eye = turned(vec4(-copyTurn.xyz, copyTurn.w), towards);
  vec3 side = vec3(eye.x < 0.0 ? -1.0 : 1.0, eye.y < 0.0 ? -1.0 : 1.0, eye.z < 0.0 ? -1.0 : 1.0);
  copyPosition *= side;
  copyNormal *= side;`,
  dome: `
  vec4 copyTurn = vec4(0.0, 0.0, 0.0, 1.0);
  vec3 up = normalize(towards);
  vec3 across = normalize(cross(up, abs(up.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0)));
  mat3 frame = mat3(across, cross(up, across), up);
  copyPosition = frame * copyPosition;
  copyNormal = frame * copyNormal;`,
};

const TO_CAMERA = 'vec3 towards = cameraPosition - copyPlace.xyz;';
const TO_SUN = 'vec3 towards = sunTowards;';

// Texels are read once, at the start of the main function. Copies beyond the last one shrink to a point: nothing is drawn.
const READ = (facing) => `
void main() {
  int copyNumber = gl_InstanceID * bundle + int(copy);
  vec4 copyPlace = copyTexel(poseMap, 2 * copyNumber);
  vec3 copyPosition = position;
  vec3 copyNormal = normal;
  ${facing === 'none' ? '' : TO_CAMERA}
  ${FACING[facing]}
  vec3 copySize = commonSize;
  if (sizesDiffer) copySize = copyTexel(sizeMap, copyNumber).xyz;
  if (copyNumber >= copies) copySize = vec3(0.0);`;

const COLOUR = `
#include <color_vertex>
vec3 copyColour = mod(floor(copyPlace.w / vec3(65536.0, 256.0, 1.0)), 256.0) / 255.0;
vColor.rgb *= copyColour * copyColour;`;

const NORMAL = `
vec3 objectNormal = turned(copyTurn, copyNormal / max(copySize, vec3(1e-9)));`;

const PLACE = `
vec3 transformed = copyPlace.xyz + turned(copyTurn, copyPosition * copySize);`;

/** Light for each vertex, for software: the same as that of Lambert's material, and the colour is ready for the screen. */
const VERTEX_LIGHT = `
#include <fog_vertex>
vec3 lit = normalize(turned(copyTurn, copyNormal / max(copySize, vec3(1e-9))));
vec3 light = mix(earthLight, skyLight, 0.5 + 0.5 * lit.z) + sunLight * max(dot(lit, sunTowards), 0.0);
vColor.rgb = forScreen(vColor.rgb * light * RECIPROCAL_PI);`;

/** The shadow of a copy on the flat plane, along the light of the sun. */
const FLATTEN = `
transformed -= sunTowards * ((transformed.z - groundHeight) / sunTowards.z);`;

const LIGHT_DECLARATIONS = `
uniform vec3 skyLight;
uniform vec3 earthLight;
uniform vec3 sunLight;
uniform vec3 sunTowards;
uniform float groundHeight;
vec3 forScreen(vec3 linear) {
  // sRGB within 0.01 by roots, which are cheaper than powers.
  vec3 second = sqrt(linear), fourth = sqrt(second);
  return 0.585122381 * second + 0.783140355 * fourth - 0.368262736 * sqrt(fourth);
}`;

function texture(texels) {
  const rows = Math.max(1, Math.ceil(texels / TEXELS_PER_ROW));
  const map = new DataTexture(new Float32Array(4 * TEXELS_PER_ROW * rows), TEXELS_PER_ROW, rows, RGBAFormat, FloatType);
  map.minFilter = NearestFilter;
  map.magFilter = NearestFilter;
  map.generateMipmaps = false;
  return map;
}

/** The geometry so many times, with a colour and the number of the copy at each vertex. */
function bundled(geometry, bundle) {
  const result = new InstancedBufferGeometry();
  const vertices = geometry.getAttribute('position').count;
  for (const name of ['position', 'normal', 'color']) {
    const {array} = geometry.getAttribute(name);
    const all = new Float32Array(bundle * array.length);
    for (let k = 0; k < bundle; ++k) all.set(array, k * array.length);
    result.setAttribute(name, new BufferAttribute(all, 3));
  }
  const numbers = new Float32Array(bundle * vertices);
  for (let k = 0; k < bundle; ++k) numbers.fill(k, k * vertices, (k + 1) * vertices);
  result.setAttribute('copy', new BufferAttribute(numbers, 1));
  if (geometry.index) {
    const {array} = geometry.index;
    const all = new Uint32Array(bundle * array.length);
    for (let k = 0; k < bundle; ++k) for (let i = 0; i < array.length; ++i) all[k * array.length + i] = array[i] + k * vertices;
    result.setIndex(new BufferAttribute(all, 1));
  }
  return result;
}

export class Copies {
  /** Room for so many copies of a geometry that has positions, normals and colours. `few`: {geometry, facing} that is drawn instead. */
  constructor(geometry, room, material, software, few = null) {
    this.geometry = geometry;
    this.facing = few ? few.facing : 'none';
    this.room = room;
    const drawn = few ? few.geometry : geometry;
    const vertices = drawn.getAttribute('position').count;
    this.bundle = software ? Math.max(1, Math.min(room, BUNDLED_COPIES, Math.floor(BUNDLED_VERTICES / vertices))) : 1;
    this.poseMap = texture(2 * room);
    this.sizeMap = texture(room);
    this.pose = this.poseMap.image.data;
    this.size = this.sizeMap.image.data;
    // The program of a material keeps its uniforms, also if a larger room replaces this one.
    material.userData.uniforms ??= {poseMap: {}, sizeMap: {}, copies: {}, bundle: {}, commonSize: {value: [1, 1, 1]}, sizesDiffer: {value: true}};
    this.uniforms = material.userData.uniforms;
    this.uniforms.poseMap.value = this.poseMap;
    this.uniforms.sizeMap.value = this.sizeMap;
    this.uniforms.bundle.value = this.bundle;
    this.material = this.adapt(material);
    this.mesh = new Mesh(bundled(drawn, this.bundle), this.material);
    if (!software) this.mesh.customDepthMaterial = this.adapt(new MeshDepthMaterial({depthPacking: RGBADepthPacking}));
    this.mesh.frustumCulled = false;
    this.count = room;
  }

  /** Lights the vertices here, with shared uniforms, instead of by the material at every pixel. */
  lightVertices(light) {
    this.extend(this.material, light, (text) => text.replace('#include <fog_vertex>', VERTEX_LIGHT));
    const adapt = this.material.onBeforeCompile;
    this.material.onBeforeCompile = (shader) => {
      adapt(shader);
      shader.fragmentShader = shader.fragmentShader.replace('#include <colorspace_fragment>', '');
    };
    this.material.customProgramCacheKey = () => `lit vertices ${this.facing}`;
  }

  /** A mesh of the shadows of all copies on the flat plane. */
  flatShadow(material, light) {
    this.adapt(material);
    this.extend(material, light, (text) => text.replace(PLACE, PLACE + FLATTEN).replace(TO_CAMERA, TO_SUN));
    material.customProgramCacheKey = () => `flat shadow ${this.facing}`;
    const shadow = new Mesh(this.mesh.geometry, material);
    shadow.frustumCulled = false;
    return shadow;
  }

  /** Adds the uniforms of the light and a change of the vertex shader. */
  extend(material, light, change) {
    const adapt = material.onBeforeCompile;
    material.onBeforeCompile = (shader) => {
      adapt(shader);
      Object.assign(shader.uniforms, light);
      shader.vertexShader = change(shader.vertexShader.replace(DECLARATIONS, DECLARATIONS + LIGHT_DECLARATIONS));
    };
  }

  adapt(material) {
    const {uniforms, facing} = this;
    material.customProgramCacheKey = () => `copies ${facing}`;
    if (facing !== 'none') material.side = DoubleSide;
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, uniforms);
      shader.vertexShader = shader.vertexShader.replace('#include <common>', DECLARATIONS).replace('void main() {', READ(facing))
        .replace('#include <color_vertex>', material.vertexColors ? COLOUR : '')
        .replace('#include <beginnormal_vertex>', NORMAL).replace('#include <begin_vertex>', PLACE);
    };
    return material;
  }

  set count(count) {
    this.uniforms.copies.value = count;
    this.mesh.geometry.instanceCount = Math.ceil(count / this.bundle);
    this.mesh.visible = count > 0;
  }

  get count() {
    return this.uniforms.copies.value;
  }

  /** Place and turn (w, x, y, z) of copy i. */
  setPose(i, px, py, pz, w, x, y, z) {
    const {pose} = this;
    const at = 8 * i;
    pose[at] = px;
    pose[at + 1] = py;
    pose[at + 2] = pz;
    pose[at + 4] = x;
    pose[at + 5] = y;
    pose[at + 6] = z;
    pose[at + 7] = w;
  }

  setSize(i, x, y, z) {
    this.size[4 * i] = x;
    this.size[4 * i + 1] = y;
    this.size[4 * i + 2] = z;
  }

  /** A colour stands beside the place: roots of red, green and blue, with 8 bits each in one number. */
  setColour(i, {r, g, b}) {
    this.pose[8 * i + 3] = 65536 * Math.round(255 * Math.sqrt(r)) + 256 * Math.round(255 * Math.sqrt(g)) + Math.round(255 * Math.sqrt(b));
  }

  /** The matrix of copy i. */
  matrix(i, target, place, turn, size) {
    return target.compose(place.fromArray(this.pose, 8 * i), turn.fromArray(this.pose, 8 * i + 4), size.fromArray(this.size, 4 * i));
  }

  posesChanged() {
    this.poseMap.needsUpdate = true;
  }

  sizesChanged() {
    this.sizeMap.needsUpdate = true;
  }

  /** Sizes will not change any more. If all are equal, no texture is read for them. */
  sizesAreFinal() {
    const first = Array.from(this.size.slice(0, 3));
    let differ = false;
    for (let i = 1; i < this.room && !differ; ++i) differ = first.some((value, c) => this.size[4 * i + c] !== value);
    this.uniforms.commonSize.value = first;
    this.uniforms.sizesDiffer.value = differ;
    this.sizesChanged();
  }

  dispose() {
    this.mesh.geometry.dispose();
    this.mesh.customDepthMaterial?.dispose();
    this.poseMap.dispose();
    this.sizeMap.dispose();
  }
}
