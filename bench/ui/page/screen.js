// Finds the parts of the screen by roles, names and attributes. Both pages must have these:
//
// - a grid named "Leads" with aria-rowcount; its rows with data have aria-rowindex, data-lead-id and data-status;
// - column headers that contain a button with the label: at least Name, Title and Company;
// - cells; those of name and title have data-column, or are the second and the third of the row;
// - buttons "Approve NAME" and "Reject NAME", at least in the row under the pointer;
// - a search box "Search leads"; a complementary "Filters", whose checkbox labels start with the value;
// - a complementary or dialog "Lead details";
// - aria-busy=true on the grid or the details while they show old content.
{
  const bench = (window.bench ??= {});

  const named = (roles, name) => document.querySelector(roles.map((role) => `${role}[aria-label="${name}"]`).join());

  bench.grid = () => document.querySelector('[role=grid][aria-label="Leads"]');
  bench.rows = () => [...(bench.grid()?.querySelectorAll("[role=row][data-lead-id]") ?? [])];
  bench.rowOf = (id) => document.querySelector(`[data-lead-id="${id}"]`);
  // Data rows start at 2: the header is row 1.
  bench.rowIndex = (row) => Number(row.getAttribute("aria-rowindex"));
  bench.rowCount = () => Number(bench.grid()?.getAttribute("aria-rowcount") ?? -1);

  // The order in the document may differ from the order on the screen.
  bench.rowsInOrder = () => bench.rows().sort((a, b) => bench.rowIndex(a) - bench.rowIndex(b));
  bench.first = () => {
    let first = null;
    for (const row of bench.rows()) if (!first || bench.rowIndex(row) < bench.rowIndex(first)) first = row;
    return first;
  };
  bench.firstId = () => bench.first()?.dataset.leadId;

  bench.header = (label) => {
    // The text may contain an arrow for the sort direction.
    const plain = (button) => button.textContent.replaceAll(/[^\w ]/g, "").trim().toLowerCase();
    const buttons = [...document.querySelectorAll("[role=columnheader] button")];
    return buttons.find((button) => plain(button) === label.toLowerCase());
  };

  bench.checkbox = (value) => {
    const sidebar = named(["[role=complementary]", "aside"], "Filters");
    for (const box of sidebar?.querySelectorAll("input[type=checkbox], [role=checkbox]") ?? []) {
      const label = box.getAttribute("aria-label") ?? box.labels?.[0]?.textContent ?? box.textContent;
      if (label.trim().split(/\s+/)[0] === value) return box;
    }
    return null;
  };

  bench.button = ({ id, verb }) => bench.rowOf(id)?.querySelector(`[aria-label^="${verb} "]`);
  bench.details = () => named(["[role=dialog]", "[role=complementary]", "aside", "dialog"], "Lead details");

  const cell = (row, name, place) => {
    return row?.querySelector(`[data-column=${name}]`) ?? row?.querySelectorAll("[role=gridcell]")[place];
  };
  bench.titleOf = (at) => cell(bench.rowsInOrder()[at], "title", 2);
  bench.companyOf = (at) => cell(bench.rowsInOrder()[at], "company", 3).textContent.trim();
  bench.nameOf = (at) => cell(bench.rowsInOrder()[at], "name", 1).textContent.trim();

  // The first row between two heights of the window whose status is a different one, and its center.
  bench.undecided = ({ status, from, to }) => {
    for (const row of bench.rowsInOrder()) {
      const box = row.getBoundingClientRect();
      if (row.dataset.status === status || box.top <= from || box.bottom >= to) continue;
      return { id: row.dataset.leadId, status: row.dataset.status, ...center(row) };
    }
    return null;
  };

  // The element that scrolls the rows: the grid, or one around or inside it.
  bench.scroller = () => {
    const scrolls = (element) => {
      const longer = element.scrollHeight > element.clientHeight + 200;
      return longer && /auto|scroll/.test(getComputedStyle(element).overflowY);
    };
    const grid = bench.grid();
    for (let element = grid; element; element = element.parentElement) if (scrolls(element)) return element;
    for (const element of grid?.querySelectorAll("*") ?? []) if (scrolls(element)) return element;
    return document.scrollingElement;
  };

  // The center of the element that one of the functions above finds.
  bench.centerOf = ({ part, argument }) => {
    const element = bench[part](argument);
    return element && center(element);
  };

  function center(element) {
    const box = element.getBoundingClientRect();
    return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  }
}
