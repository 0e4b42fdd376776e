// Filters the tables of claims; without scripts the tables are whole and the filter stays hidden.
const form = document.querySelector('.filter');
const search = form.querySelector('input');
const verdict = form.querySelector('select');
const shown = form.querySelector('output');
const tables = [...document.querySelectorAll('table.claims')];
const texts = new Map(tables.flatMap((table) => [...table.tBodies[0].rows])
  .map((row) => [row, row.textContent.toLowerCase()]));
function filter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const [row, text] of texts) {
    row.hidden = !(words.every((word) => text.includes(word))
      && (verdict.value === '' || row.dataset.verdict === verdict.value));
  }
  const counts = tables.map((table) => {
    const rows = [...table.tBodies[0].rows];
    return `${rows.filter((row) => !row.hidden).length} of ${rows.length} ${table.dataset.whose}`;
  });
  shown.textContent = `shown: ${counts.join(', ')}`;
}
form.addEventListener('input', filter);
form.addEventListener('submit', (event) => event.preventDefault());
form.hidden = false;
filter();
