// Adds what a page cannot have without a script: a filter of the navigation and buttons to copy.
const find = (selector, within = document) => [...within.querySelectorAll(selector)];
const said = document.getElementById('said');
const filter = document.getElementById('filter');
const found = document.getElementById('found');
const groups = find('.group');
const wasOpen = groups.map((group) => group.open);
const menu = document.querySelector('.menu');

document.querySelector('.filter').hidden = false;

function applyFilter() {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  groups.forEach((group, place) => {
    const family = group.firstElementChild.textContent.toLowerCase();
    let any = false;
    for (const item of find('li', group)) {
      const text = `${family} ${item.textContent.toLowerCase()} ${item.dataset.search ?? ''}`;
      const isShown = words.length === 0 || (item.dataset.search && words.every((word) => text.includes(word)));
      item.hidden = !isShown;
      if (isShown && item.dataset.search) {
        any = true;
        count++;
      }
    }
    group.hidden = !any;
    group.open = words.length > 0 ? any : wasOpen[place];
  });
  found.textContent = words.length === 0 ? '' : count === 1 ? '1 operation' : `${count} operations`;
}

const results = () => find('.group:not([hidden]) li[data-search]:not([hidden]) a', menu);

filter.addEventListener('input', applyFilter);
menu.addEventListener('keydown', (event) => {
  const list = results();
  const place = list.indexOf(document.activeElement);
  const inFilter = document.activeElement === filter;
  if (event.key === 'Escape' && filter.value !== '') {
    filter.value = '';
    applyFilter();
    filter.focus();
  } else if (event.key === 'Enter' && inFilter && filter.value !== '') list[0]?.click();
  else if (event.key === 'ArrowDown' && (inFilter || place >= 0)) list[place + 1]?.focus();
  else if (event.key === 'ArrowUp' && place >= 0) (list[place - 1] ?? filter).focus();
  else return;
  event.preventDefault();
});

document.addEventListener('keydown', (event) => {
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '');
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  menu.open = true;
  filter.focus();
});

// A link to a place on the same page would stay under the open navigation of a small screen.
menu.addEventListener('click', ({ target }) => {
  if (target.closest('a') && matchMedia('(max-width: 56rem)').matches) menu.open = false;
});

for (const figure of find('figure.code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', `Copy: ${figure.querySelector('figcaption').textContent}`);
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(figure.querySelector('code').textContent);
    button.textContent = 'Copied';
    said.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
      said.textContent = '';
    }, 2000);
  });
  figure.querySelector('figcaption').append(button);
}

// The navigation is long: the part of this page is in sight.
const current = document.querySelector('.contents [aria-current]');
const inside = document.querySelector('.contents .inside');
if (current) inside.scrollTop = Math.max(0, current.offsetTop - inside.offsetTop - 120);
