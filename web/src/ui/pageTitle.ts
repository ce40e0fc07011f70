import { useEffect } from 'react'
import { useBrand } from './brand/brand'

/** The tab of the browser: what is shown first, then the product, as it is called for this person. */
export function usePageTitle(title: string): void {
  const { name } = useBrand()
  useEffect(() => {
    document.title = `${title} · ${name ?? 'Aisle'}`
  }, [title, name])
}
