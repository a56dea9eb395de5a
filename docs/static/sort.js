// Tables in a block of class "sortable" are sorted by the column whose head is clicked or pressed with Enter.
addEventListener("DOMContentLoaded", () => {
  for (const table of document.querySelectorAll(".sortable table, table.sortable")) {
    table.classList.add("sortable");
    const heads = [...table.querySelectorAll("thead th")];
    const key = (row, column) => {
      const text = row.cells[column].textContent.trim();
      const number = parseFloat(text.replace(/,/g, ""));
      return Number.isNaN(number) ? text.toLowerCase() : number;
    };
    const order = (a, b, down) => {
      if (a === "" || b === "") return (a === "") - (b === ""); // what is empty stands last, either way
      if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
      return (a < b ? -1 : a > b ? 1 : 0) * (down ? -1 : 1);
    };
    heads.forEach((head, column) => {
      head.tabIndex = 0;
      const sort = () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const rows = [...table.tBodies[0].rows];
        rows.sort((a, b) => order(key(a, column), key(b, column), down));
        table.tBodies[0].append(...rows);
      };
      head.addEventListener("click", sort);
      head.addEventListener("keydown", (event) => event.key === "Enter" && sort());
    });
  }
});
