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
 * Texts of one subject, English and Chinese: `const t = texts({left: ['{n} {n:roll|rolls} left', '还可掷 {n} 次'], full_house: '满堂红'})`,
 * then `t('left', {n: 2})`. English that says what its key says is left out. A text may be a function of the values.
 */
export const texts = (all) => (key, values = {}) => {
  if (!Object.hasOwn(all, key)) throw new Error(`no text ${key}`);
  const [english, chinese] = Array.isArray(all[key]) ? all[key] : [(key[0].toUpperCase() + key.slice(1)).replaceAll('_', ' '), all[key]];
  const text = current === 'zh' ? chinese : english;
  if (typeof text === 'function') return text(values);
  return text.replace(/\{(\w+)(?::(\w+)\|(\w+))?\}/g, (_, name, one, many) => (one ? (values[name] === 1 ? one : many) : values[name]));
};

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
