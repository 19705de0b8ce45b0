/** Prompts that ask for no repetition, and right answers that hold many equal lines; each ended by itself. */
export const ANSWERS: readonly (readonly [prompt: string, answer: string])[] = [
  [
    'Make a sudoku grid in HTML',
    page(
      'Here is a sudoku grid. Each cell takes one digit.',
      'html',
      '<table class="sudoku">\n',
      `  <tr>${'<td><input maxlength="1"></td>'.repeat(9)}</tr>\n`.repeat(9),
      '</table>\n',
    ),
  ],
  [
    'Make a sudoku board with plain divs',
    page('One element a cell:', 'html', '<div class="board">\n', '  <div class="cell"></div>\n'.repeat(81), '</div>\n'),
  ],
  [
    'Write tic-tac-toe in HTML and JavaScript',
    page(
      'A small game for two players.',
      'html',
      '<div id="board">\n',
      '  <button class="cell" data-cell onclick="play(this)"></button>\n'.repeat(9),
      '</div>\n<script>\nlet turn = "X";\nfunction play(cell) {\n  if (cell.textContent) return;\n  cell.textContent = turn;\n  turn = turn === "X" ? "O" : "X";\n}\n</script>\n',
    ),
  ],
  [
    'Write a landing page for a bakery',
    page(
      'A page with a hero and six cards that you can fill.',
      'html',
      '<section class="hero"><h1>Fresh every morning</h1></section>\n<section class="cards">\n',
      '  <article class="card">\n    <img src="placeholder.png" alt="">\n    <h3>Product name</h3>\n    <p>A short description of the product stands here.</p>\n    <a href="#">Read more</a>\n  </article>\n'.repeat(
        6,
      ),
      '</section>\n',
    ),
  ],
  [
    'Write a React skeleton loader',
    page(
      'While the data loads, this stands in its place.',
      'jsx',
      'export function Skeleton() {\n  return (\n    <div className="list" aria-busy="true">\n',
      '      <div className="row">\n        <div className="avatar pulse" />\n        <div className="line pulse" />\n      </div>\n'.repeat(
        8,
      ),
      '    </div>\n  );\n}\n',
    ),
  ],
  [
    'Give me an empty weekly planner in Markdown',
    `# Weekly planner\n\n| Mon | Tue | Wed | Thu | Fri | Sat | Sun |\n|-----|-----|-----|-----|-----|-----|-----|\n${'|     |     |     |     |     |     |     |\n'.repeat(20)}\nFill one row an hour, and keep the evening free. ${notes()}`,
  ],
  [
    'A planner of the week in Markdown with notes for each day',
    `# My week\n\n${'## Day\n\n- [ ] Morning:\n- [ ] Afternoon:\n- [ ] Evening:\n\nNotes: ________________________\n\n'.repeat(7)}${notes()}`,
  ],
  [
    'Write a template of a formal letter',
    `[Your name]\n[Your address]\n${'\n'.repeat(30)}Dear Sir or Madam,\n\n${'________________________________________________\n\n'.repeat(12)}Yours faithfully,\n${'\n'.repeat(12)}[Signature]\n\n${notes()}`,
  ],
  [
    'Give me a to-do template',
    `# To do\n\n## Today\n\n${'- [ ] Task\n'.repeat(30)}\n## Later\n\n${'- [ ] Task\n'.repeat(20)}\n${notes()}`,
  ],
  [
    'What does numpy.zeros print for ten by ten?',
    page('It prints:', '', '[', '[0. 0. 0. 0. 0. 0. 0. 0. 0. 0.]\n '.repeat(10), ']\n'),
  ],
  [
    'Write the game of life in Python and show a start',
    page(
      'The field is a list of lists; all cells are dead at first.',
      'python',
      'field = [\n',
      `    [${'0, '.repeat(19)}0],\n`.repeat(20),
      ']\n\ndef neighbours(x, y):\n    return sum(field[j][i] for j in (y - 1, y, y + 1) for i in (x - 1, x, x + 1)) - field[y][x]\n',
    ),
  ],
  ['Show an empty game of life field', page('Dots are dead cells:', '', '', `${'. '.repeat(20)}\n`.repeat(20), '')],
  [
    'Write a deep network in PyTorch',
    page(
      'Ten equal blocks; a residual connection would help beyond that.',
      'python',
      'model = nn.Sequential(\n    nn.Linear(784, 256),\n',
      '    nn.Linear(256, 256),\n    nn.BatchNorm1d(256),\n    nn.ReLU(),\n    nn.Dropout(0.2),\n'.repeat(10),
      '    nn.Linear(256, 10),\n)\n',
    ),
  ],
  [
    'Write SQL that fills a test database',
    page(
      'Replace the sample values by your own.',
      'sql',
      'INSERT INTO people (name, mail, active) VALUES\n',
      "  ('Sample name', 'sample@example.com', TRUE),\n".repeat(20),
      "  ('Sample name', 'sample@example.com', TRUE);\n",
    ),
  ],
  [
    'Write a docker compose file with workers',
    page(
      'Each worker takes jobs from the queue.',
      'yaml',
      'services:\n  queue:\n    image: redis:7\n',
      '  worker:\n    image: example/worker:1.4\n    restart: unless-stopped\n    environment:\n      QUEUE_URL: redis://queue:6379\n    depends_on:\n      - queue\n'.repeat(
        6,
      ),
      'volumes:\n  data: {}\n',
    ),
  ],
  [
    'Write an HTML quiz form',
    page(
      'Put your questions in.',
      'html',
      '<form>\n',
      '  <fieldset>\n    <legend>Question</legend>\n    <label><input type="radio"> Answer A</label>\n    <label><input type="radio"> Answer B</label>\n    <label><input type="radio"> Answer C</label>\n  </fieldset>\n'.repeat(
        8,
      ),
      '  <button>Send</button>\n</form>\n',
    ),
  ],
  [
    'Write a contact form, without a code fence',
    `${'<div class="field">\n  <label>Label</label>\n  <input type="text" class="input">\n</div>\n'.repeat(12)}<button>Send</button>\n\n${notes()}`,
  ],
  [
    'Write unit test stubs in Java, without a code fence',
    `class StubTest {\n${'    @Test void stub() {\n        fail("not written");\n    }\n'.repeat(12)}}\n\n${notes()}`,
  ],
  [
    'Make a sign-up sheet',
    `# Sign-up sheet\n\n${'Name: ______________ Phone: ______________ Date: __________\n'.repeat(20)}\n${notes()}`,
  ],
]

function page(opening: string, language: string, head: string, body: string, tail: string): string {
  return `${opening}\n\n\`\`\`${language}\n${head}${body}${tail}\`\`\`\n\n${notes()}`
}

function notes(): string {
  return `How to go on:\n\n1. Copy it into a file of its own and open it.\n2. Change the names, colours and sizes to your taste.\n3. Keep a copy of the first version, so that you can compare the two later.\n\nTell me if you want it larger, smaller, or in another language; I can also explain why each part is there and what you may leave out.`
}
