// Short words for the document.

export function $<E extends HTMLElement = HTMLElement>(id: string): E {
  return document.getElementById(id) as E;
}

type Properties = Record<string, unknown>;

/** An element with properties (attributes where the name has a dash or is `role`) and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-") || name === "role") element.setAttribute(name, String(value));
    else Object.assign(element, { [name]: value });
  }
  element.append(...children);
  return element;
}

/** A part of an address; what is not well coded stays as it is. */
export function decoded(text: string): string {
  const plain = text.replace(/[+&]/g, encodeURIComponent);
  return new URLSearchParams(`text=${plain}`).get("text")!;
}

const SVG = "http://www.w3.org/2000/svg";

export function svg(tag: string, attributes: Record<string, string | number>, ...children: Node[]): SVGElement {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** The picture of a piece. */
export function piece(letter: string): SVGElement {
  const color = letter === letter.toUpperCase() ? "white" : "black";
  return svg("svg", { class: `piece ${color}`, viewBox: "0 0 45 45", "aria-hidden": "true" }, svg("use", { href: `#${letter.toLowerCase()}` }));
}

/** Says something to those who listen. */
export function announce(text: string) {
  $("announcer").textContent = text;
}

/** Shows what went wrong, or that nothing does. */
export function complain(text: string) {
  $("complaint").textContent = text;
  $("complaint").hidden = !text;
}

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

type Storages = (() => Storage)[];
/** What is kept here no other tab sees. */
export const THIS_TAB: Storages = [() => sessionStorage];
const ALL_TABS: Storages = [...THIS_TAB, () => localStorage];

/** Keeps a value for this tab, and for the next one that is opened unless that is not wanted. */
export function remember(key: string, value: unknown, storages = ALL_TABS) {
  for (const storage of storages) {
    try {
      storage().setItem(`sextant.${key}`, JSON.stringify(value));
    } catch {
      // A private window may have no room; the page works without.
    }
  }
}

export function recall<T>(key: string, storages = ALL_TABS): T | undefined {
  try {
    const kept = storages.map((storage) => storage().getItem(`sextant.${key}`));
    return (JSON.parse(kept.find((it) => it !== null) ?? "null") as T) ?? undefined;
  } catch {
    return undefined;
  }
}
