import { Failure } from '../api/client.ts';

interface PhonePage {
  /** Of the frame, for those who do not see it. */
  title: string;
  /** Makes the frame load its page. */
  open: (frame: HTMLIFrameElement) => void;
  /**
   * What the page needs when it is there. What it throws means that it is another page. Absent: the page is in a sandbox,
   * and nobody can look into it.
   */
  onPage?: (page: Document) => void;
  /** Where the first page begins; later ones begin where the one before was. */
  start?: (page: Document) => number;
}

const maxWaitMs = 30_000;
let made = 0;

/**
 * Opens a page in a new frame, and puts it in the place of the old one when it is complete: nothing flickers, and the page
 * does not stand in the browser's history.
 */
export async function showInPhone(host: HTMLElement, shown: PhonePage, signal: AbortSignal): Promise<void> {
  const frame = document.createElement('iframe');
  frame.name = `phone-${++made}`;
  frame.title = shown.title;
  frame.className = 'next';
  host.append(frame);
  try {
    const loaded = loadOf(frame, signal);
    shown.open(frame);
    await loaded;
    const old = host.querySelector<HTMLIFrameElement>('iframe:not(.next)');
    if (shown.onPage) {
      const page = pageIn(frame);
      shown.onPage(page);
      frame.contentWindow!.scrollTo(0, old ? (old.contentWindow?.scrollY ?? 0) : (shown.start?.(page) ?? 0));
    }
    frame.className = '';
    old?.remove();
  } catch (error) {
    frame.remove();
    throw error;
  }
}

function loadOf(frame: HTMLIFrameElement, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Failure('slow', {})), maxWaitMs);
    frame.addEventListener('load', () => {
      // Some browsers report the empty page of a new frame too.
      if (frame.contentDocument?.URL === 'about:blank') return;
      clearTimeout(timer);
      resolve();
    });
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new Failure('network', {}));
    });
  });
}

/** Without an answer there is nothing of ours in the frame. */
function pageIn(frame: HTMLIFrameElement): Document {
  if (!frame.contentDocument) throw new Failure('network', {});
  return frame.contentDocument;
}
