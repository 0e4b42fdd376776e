// Opens the report in a browser: at three widths, light and dark, without scripts, and on paper.
//
//   node xtask/browser/report.mjs
//
// Needs playwright-core where node finds it (NODE_PATH) and a Chromium (CHROMIUM, or chromium on the PATH).
// Without either it says so and ends well. Any fault is printed, and ends it with 1.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const file = fileURLToPath(new URL('../../results/report/index.html', import.meta.url));
const address = pathToFileURL(file).href;
const widths = { phone: 390, tablet: 820, desktop: 1400 };

function skip(why) {
  console.log(`skipped: ${why}, so the report is not opened in a browser`);
  process.exit(0);
}

function playwright() {
  try {
    return createRequire(import.meta.url)('playwright-core').chromium;
  } catch {
    return skip('playwright-core is not installed');
  }
}

function chromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  try {
    return execFileSync('sh', ['-c', 'command -v chromium || command -v chromium-browser']).toString().trim();
  } catch {
    return skip('chromium is not installed');
  }
}

const faults = [];

/** A page of the report; whatever its console or its requests complain of is a fault. */
async function open(browser, name, settings, media = {}) {
  const page = await browser.newPage(settings);
  page.on('console', (message) => message.type() === 'error' && faults.push(`${name}: console: ${message.text()}`));
  page.on('pageerror', (error) => faults.push(`${name}: script: ${error.message}`));
  page.on('requestfailed', (request) => faults.push(`${name}: not loaded: ${request.url()}`));
  await page.emulateMedia(media);
  await page.goto(address);
  return page;
}

/** Images that show nothing, and links to files or parts that are not there. */
async function broken(page) {
  const found = await page.evaluate(() => ({
    images: [...document.images].filter((image) => !image.complete || image.naturalWidth === 0).map((image) => image.src),
    parts: [...document.querySelectorAll('a[href^="#"]')]
      .map((link) => link.getAttribute('href').slice(1)).filter((part) => !document.getElementById(part)),
    files: [...document.querySelectorAll('a[href]:not([href^="#"])')].map((link) => link.href),
    twice: [...document.querySelectorAll('[id]')].map((one) => one.id).filter((id, place, all) => all.indexOf(id) < place),
  }));
  const files = [...new Set(found.files)];
  const gone = files.filter((link) => !link.startsWith('file:') || !existsSync(fileURLToPath(link.split('#')[0])));
  return [
    ...found.images.map((image) => `broken image ${image}`),
    ...found.parts.map((part) => `no part #${part}`),
    ...gone.map((link) => `broken link ${link}`),
    ...found.twice.map((id) => `two parts #${id}`),
  ];
}

/** What sticks out of the screen, and is not in a box of its own that scrolls. */
function wide(page) {
  return page.evaluate(() => {
    document.querySelectorAll('details').forEach((one) => { one.open = true; });
    const limit = document.documentElement.clientWidth;
    const out = [...document.body.querySelectorAll('*')].filter((one) => one.getBoundingClientRect().right > limit + 1
      && !one.parentElement.closest('.scroll'));
    const all = document.documentElement.scrollWidth;
    return [
      ...(all > limit ? [`the page is ${all} wide on ${limit}`] : []),
      ...out.slice(0, 5).map((one) => `wider than ${limit}: ${one.tagName} ${one.className} ${one.textContent.slice(0, 40)}`),
    ];
  });
}

/** Rows of the tables of claims that are shown. */
function rows(page, verdict = '') {
  const which = verdict ? `[data-verdict="${verdict}"]` : '';
  return page.evaluate((which) => [...document.querySelectorAll(`table.claims tbody tr${which}`)]
    .filter((row) => row.getClientRects().length > 0).length, which);
}

/** What the filter does wrong. */
async function filter(page) {
  const wrong = [];
  const expect = async (words, found, wanted) => found === wanted || wrong.push(`filter: ${words}: ${found}, not ${wanted}`);
  const all = await rows(page);
  if (all === 0) return ['there are no claims'];
  if (!await page.isVisible('.filter')) return ['the filter is not shown'];
  const verdicts = await page.$$eval('.filter option', (options) => options.map((option) => option.value).filter(Boolean));
  let sum = 0;
  for (const verdict of verdicts) {
    await page.selectOption('.filter select', '');
    const those = await rows(page, verdict);
    await page.selectOption('.filter select', verdict);
    await expect(verdict, await rows(page), those);
    sum += those;
  }
  await expect('all verdicts together', sum, all);
  await page.selectOption('.filter select', '');
  const id = await page.textContent('table.claims tbody a');
  await page.fill('.filter input', id);
  if (await rows(page) < 1) wrong.push(`filter: ${id} is not found`);
  await page.fill('.filter input', 'no claim says this');
  await expect('nonsense', await rows(page), 0);
  await page.fill('.filter input', '');
  await expect('an empty search', await rows(page), all);
  return wrong;
}

const library = playwright();
const browser = await library.launch({ executablePath: chromium(), args: ['--no-sandbox', '--allow-file-access-from-files'] });
let opened = 0;
let whole = 0;
for (const [name, width] of Object.entries(widths)) {
  for (const colorScheme of ['light', 'dark']) {
    const settings = { viewport: { width, height: 900 }, colorScheme };
    const page = await open(browser, `${name}, ${colorScheme}`, settings);
    const found = [...await broken(page), ...await filter(page), ...await wide(page)];
    faults.push(...found.map((fault) => `${name}, ${colorScheme}: ${fault}`));
    whole = await rows(page);
    await page.close();
    opened += 1;
  }
}
const plain = await open(browser, 'no scripts', { javaScriptEnabled: false, viewport: { width: 820, height: 900 } });
if (await plain.isVisible('.filter')) faults.push('no scripts: the filter is shown and cannot work');
if (await plain.locator('table.claims tbody tr:visible').count() !== whole) faults.push('no scripts: claims are missing');
const paper = await open(browser, 'print', { viewport: { width: 720, height: 1000 } }, { media: 'print' });
faults.push(...(await wide(paper)).map((fault) => `print: ${fault}`));
await browser.close();

faults.forEach((fault) => console.log(fault));
console.log(`report opened ${opened + 2} times, ${whole} claims, ${faults.length} faults`);
process.exit(faults.length > 0 ? 1 : 0);
