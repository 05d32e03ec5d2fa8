// Waits until the page has loaded and has nothing to do. Loaded where a site wants the chat prepared then.

export function whenIdle(act: () => void): void {
  // Safari has no idle callbacks.
  const wait = () => (window.requestIdleCallback ?? setTimeout)(() => act())
  if (document.readyState === 'complete') wait()
  else addEventListener('load', wait, { once: true })
}
