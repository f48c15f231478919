const headers = ['header_headline', 'header_title', 'header_subtitle'];
const fields = ['list_label', 'event_status', ...headers];
const choices = [...data.events, ...data.phases, ...data.pages];
const find = (id) => document.getElementById(id);
const make = (tag, text, attributes = {}) =>
  Object.assign(document.createElement(tag), { textContent: text }, attributes);

find('choices').append(...choices.map((value) => make('option', '', { value })));

/** The own texts of an event, and the header texts that it inherits from its phase, which the page marks. */
function textsOf(language, choice) {
  if (data.pages.includes(choice)) return { own: { text: language.pages[choice] }, inherited: {} };
  if (data.phases.includes(choice)) return { own: language.phases[choice], inherited: {} };
  return { own: language.events[choice] ?? {}, inherited: language.phases[data.phaseOf[choice]] ?? {} };
}

function row(language, shown, choice) {
  const { own, inherited } = textsOf(language, choice);
  const line = document.createElement('tr');
  const name = new Intl.DisplayNames(['en'], { type: 'language' }).of(
    language.language === 'gr' ? 'el' : language.language,
  );
  const head = make('th', name, { scope: 'row', title: language.register });
  head.append(document.createElement('br'), make('small', language.language));
  line.append(head);
  for (const field of shown) {
    const text = own[field] ?? inherited[field] ?? '';
    const cell = make('td', text, { lang: language.language === 'gr' ? 'el' : language.language });
    cell.dataset.field = field;
    cell.append(
      document.createElement('br'),
      make('small', `${[...text].length}${own[field] ? '' : ', from the phase'}`),
    );
    line.append(cell);
  }
  return line;
}

function kindOf(choice) {
  if (data.pages.includes(choice)) return { shown: ['text'], about: 'A text of the pages' };
  if (data.phases.includes(choice)) return { shown: headers, about: 'A phase' };
  if (!data.phaseOf[choice]) return { shown: fields, about: 'On a return' };
  return { shown: fields, about: `Phase ${data.phaseOf[choice]}` };
}

function show(choice) {
  const { shown, about } = kindOf(choice);
  const titles = document.createElement('tr');
  titles.append(make('th', 'Language', { scope: 'col' }), ...shown.map((field) => make('th', field, { scope: 'col' })));
  document.querySelector('thead').replaceChildren(titles);
  document.querySelector('tbody').replaceChildren(...data.texts.map((language) => row(language, shown, choice)));
  find('about').textContent = about;
  find('choice').value = choice;
  history.replaceState(null, '', `#${choice}`);
}

const current = () => Math.max(0, choices.indexOf(location.hash.slice(1)));
const step = (by) => show(choices[(current() + by + choices.length) % choices.length]);

find('choice').addEventListener('input', ({ target }) => choices.includes(target.value) && show(target.value));
find('previous').addEventListener('click', () => step(-1));
find('next').addEventListener('click', () => step(1));
show(choices[current()]);
