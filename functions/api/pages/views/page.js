// Nothing on the page depends on this.
(() => {
  const page = document;
  const mainOf = (root) => root.querySelector('main');
  const focusable = (root) => [...root.querySelectorAll('a,summary,button')];

  // Refreshes the content once a minute while somebody looks at it and a parcel is under way, for up to two hours.
  // The keys of forms and the links of photos are others each time.
  const contentOf = (main) => main.innerHTML.replace(/ (value|src|href)="[^"]*"/g, '');
  const isTyping = (main) =>
    main.querySelector('form :focus') ||
    [...main.querySelectorAll('textarea,input:not([type=hidden])')].some(
      (field) => field.value !== (field.type === 'radio' ? field.value : field.defaultValue) || field.checked,
    );
  let seen = contentOf(mainOf(page));
  let rounds = 120;
  const refresh = async () => {
    const old = mainOf(page);
    if (page.hidden || !old.hasAttribute('data-live') || isTyping(old) || rounds-- < 1) return;
    const answer = await fetch(location.href).catch(() => null);
    if (!answer?.ok) return;
    const fresh = mainOf(new DOMParser().parseFromString(await answer.text(), 'text/html'));
    if (!fresh || contentOf(fresh) === seen || isTyping(old)) return;
    seen = contentOf(fresh);
    const next = page.adoptNode(fresh);
    for (const { id } of old.querySelectorAll('details[open]')) next.querySelector(`#${id}`)?.setAttribute('open', '');
    const focused = old.contains(page.activeElement) ? page.activeElement.textContent : null;
    offer(next);
    old.replaceWith(next);
    if (focused)
      focusable(next)
        .find((one) => one.textContent === focused)
        ?.focus();
  };
  if (mainOf(page).hasAttribute('data-live')) setInterval(refresh, 60000);

  // Buttons are shown where the browser can do what they say.
  const { clipboard } = navigator;
  const offer = (root) => {
    for (const button of root.querySelectorAll('[data-copy]')) button.hidden = !clipboard;
    for (const button of root.querySelectorAll('[data-share]')) button.hidden = !navigator.share;
  };
  offer(page);
  const copyFrom = async (button) => {
    const { copy, copied } = button.dataset;
    const text = button.textContent;
    if (text === copied) return;
    try {
      await clipboard.writeText(copy);
    } catch {
      getSelection().selectAllChildren(button.previousElementSibling);
      return;
    }
    button.textContent = copied;
    setTimeout(() => {
      button.textContent = text;
    }, 2000);
  };
  page.addEventListener('click', ({ target }) => {
    const button = target.closest('[data-copy],[data-share]');
    const { copy, share, link } = button?.dataset ?? {};
    if (copy) copyFrom(button);
    // Whoever closes the dialog has not failed.
    if (share) navigator.share(link ? { text: share, url: link } : { text: share }).catch(() => {});
  });

  // Photos of a phone are larger than a form can send.
  const side = 1600;
  const smaller = async (file) => {
    if (!file.type.startsWith('image/') || file.size < 400000) return file;
    const image = await createImageBitmap(file);
    const scale = Math.min(1, side / Math.max(image.width, image.height));
    const canvas = Object.assign(page.createElement('canvas'), {
      width: Math.round(image.width * scale),
      height: Math.round(image.height * scale),
    });
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((done) => canvas.toBlob(done, 'image/jpeg', 0.8));
    return blob && blob.size < file.size ? new File([blob], 'photo.jpg', { type: blob.type }) : file;
  };
  const shrink = async (input) => {
    const chosen = [...input.files];
    const files = await Promise.all(chosen.map((file) => smaller(file).catch(() => file)));
    // Somebody may have chosen again in the meantime.
    if (chosen.some((file, i) => file !== input.files[i])) return;
    const transfer = new DataTransfer();
    for (const file of files) transfer.items.add(file);
    input.files = transfer.files;
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    if (bytes > input.dataset.bytes) input.setCustomValidity(page.getElementById(`${input.id}-help`).textContent);
  };
  const shrinking = new Map();
  page.addEventListener('change', ({ target: input }) => {
    if (input.type !== 'file') return;
    input.setCustomValidity('');
    const mine = shrink(input)
      .catch(() => {})
      .then(() => {
        if (shrinking.get(input.form) === mine) shrinking.delete(input.form);
      });
    shrinking.set(input.form, mine);
  });
  // A form that is sent before its photos are small would send the large ones.
  page.addEventListener('submit', async (event) => {
    const form = event.target;
    if (!shrinking.has(form)) return;
    event.preventDefault();
    await shrinking.get(form);
    form.requestSubmit();
  });
})();
