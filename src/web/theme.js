// Runs before the first paint, so that a chosen theme never flashes. `?theme=light|dark` wins over what was chosen earlier.
(() => {
  const query = new URLSearchParams(location.search);
  let theme = query.get('theme');
  try {
    theme ??= localStorage.getItem('kibitz-theme');
  } catch {
    // Storage is closed to sandboxed frames; the system's theme holds there.
  }
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  if (query.get('embed') === '1') document.documentElement.classList.add('embed');
})();
