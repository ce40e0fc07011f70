import { useEffect } from 'react'

/** The tab of the browser: what is shown first, then the product. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Aisle`
  }, [title])
}
