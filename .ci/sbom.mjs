// Prints what an installation of this package brings along, as a CycloneDX 1.5 document made from the lock file:
// the same commit gives the same bytes. `npm sbom --omit dev` leaves out packages that development needs as well.
import { readFileSync } from 'node:fs';

const read = (file) => JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'));
const manifest = read('package.json');
const { packages } = read('package-lock.json');

/** Where Node finds a dependency: the nearest node_modules, from the folder of its user upwards. */
function locate(name, from) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (place in packages) return place;
    if (folder === '') throw new Error(`the lock file has no ${name} for ${from || manifest.name}`);
  }
}

const nameOf = (place) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
const purl = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`;
const refOf = (place) => purl(nameOf(place), packages[place].version);

const found = new Map();
const queue = [''];
for (const place of queue) {
  const needed = Object.keys(packages[place].dependencies ?? {}).map((name) => locate(name, place));
  found.set(place, needed);
  queue.push(...needed.filter((each) => !found.has(each) && !queue.includes(each)));
}

function component(place) {
  const { version, license, integrity = '' } = packages[place];
  const [algorithm, digest = ''] = integrity.split('-');
  return {
    type: 'library',
    'bom-ref': refOf(place),
    name: nameOf(place),
    version,
    purl: refOf(place),
    ...(license === undefined ? {} : { licenses: [{ license: { id: license } }] }),
    ...(algorithm === 'sha512'
      ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }
      : {}),
  };
}

const root = purl(manifest.name, manifest.version);
const places = [...found.keys()].filter((place) => place !== '').sort();
const bom = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: {
    component: {
      type: 'library',
      'bom-ref': root,
      name: manifest.name,
      version: manifest.version,
      purl: root,
      licenses: [{ license: { id: manifest.license } }],
    },
  },
  components: places.map(component),
  dependencies: ['', ...places].map((place) => ({
    ref: place === '' ? root : refOf(place),
    dependsOn: (found.get(place) ?? []).map(refOf).sort(),
  })),
};
process.stdout.write(`${JSON.stringify(bom, null, 2)}\n`);
