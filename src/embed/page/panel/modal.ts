// Makes the panel a modal sheet that fills a phone or the window, sized to the space above the keyboard, while the page
// behind it does not scroll.

export type Modal = {
  /** Makes the box modal, or not. */
  set(modal: boolean): void
  dispose(): void
}

/** `onCancel`: the visitor wants to leave. `onClosed`: the dialog was closed, by whomever. */
export function createModal(box: HTMLDialogElement, onCancel: () => void, onClosed: () => void): Modal {
  const still = new CSSStyleSheet()
  // A separate sheet, so that the page's own styles are unchanged afterwards.
  still.replaceSync(':root:root{overflow:hidden!important}')
  const viewport = window.visualViewport

  /** While the visitor has zoomed in, the sheet keeps its size. */
  function measure(): void {
    if (!viewport || !box.open || Math.abs(viewport.scale - 1) > 0.01) return
    box.style.top = `${viewport.offsetTop}px`
    box.style.height = `${viewport.height}px`
  }
  function set(modal: boolean): void {
    // The page's own modal dialog stays on top.
    if (modal === box.open || (modal && document.querySelector(':modal'))) return
    const others = document.adoptedStyleSheets.filter((sheet) => sheet !== still)
    document.adoptedStyleSheets = modal ? [...others, still] : others
    if (modal) {
      box.showModal()
      measure()
    } else {
      box.close()
      box.removeAttribute('style')
    }
  }
  viewport?.addEventListener('resize', measure)
  viewport?.addEventListener('scroll', measure)
  box.oncancel = (event) => {
    event.preventDefault()
    onCancel()
  }
  // Some browsers close the dialog all the same.
  box.onclose = onClosed
  return {
    set,
    dispose() {
      set(false)
      viewport?.removeEventListener('resize', measure)
      viewport?.removeEventListener('scroll', measure)
    },
  }
}
