// The language of the page, texts in it, and numbers as it writes them.

import { storage } from './dom.js';

export const LANGUAGES = { en: 'English', zh: '中文' };

const known = (tag) => Object.keys(LANGUAGES).find((name) => tag?.toLowerCase().split('-')[0] === name);

function preferred() {
  const asked = [new URLSearchParams(location.search).get('lang'), storage.get('language'), ...navigator.languages];
  return asked.map(known).find(Boolean) ?? 'en';
}

let current = preferred();

export const language = () => current;

/** Changes the language and remembers it. The shell draws the page again. */
export function setLanguage(name) {
  current = name;
  storage.set('language', name);
}

/**
 * Texts of one subject: `const t = texts({en: {left: '{n} left', rolls: ({n}) => ...}, zh: {...}})`, then `t('left', {n: 2})`.
 * A text with a plural is a function of the values.
 */
export function texts(dictionaries) {
  return (key, values = {}) => {
    const text = dictionaries[current][key] ?? dictionaries.en[key];
    if (text === undefined) throw new Error(`no text ${key}`);
    return typeof text === 'function' ? text(values) : text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  };
}

const formats = new Map();
function written(value, digits, signDisplay) {
  const key = `${current} ${digits} ${signDisplay}`;
  if (!formats.has(key)) {
    formats.set(key, new Intl.NumberFormat(current, { minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay }));
  }
  return formats.get(key).format(value).replace('-', '−');
}

/** A number with so many digits after the point. */
export const number = (value, digits = 0) => written(value, digits, 'negative');

/** The same with its sign, `+` included; what rounds to nothing has none. */
export const signed = (value, digits = 0) => written(value, digits, 'exceptZero');

export const percent = (share, digits = 1) => `${number(share * 100, digits)}%`;
