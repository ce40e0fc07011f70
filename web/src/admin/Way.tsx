import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** A list with its filter: an address of our own, followed without loading the page again. */
export function Way(props: { path: string; className?: string | undefined; children: ReactNode }) {
  const { path, className, children } = props
  const { history } = useRouter()
  return (
    <a
      href={path}
      className={className}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        history.push(path)
      }}
    >
      {children}
    </a>
  )
}
