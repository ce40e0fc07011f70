import { useRouter } from '@tanstack/react-router'
import type { ComponentProps, MouseEvent } from 'react'

type Props = Omit<ComponentProps<'a'>, 'href' | 'onClick'> & {
  path: string
  search?: Readonly<Record<string, string>> | undefined
}

/**
 * An address of our own, followed without loading the page again; its code is fetched when somebody is about to. The
 * router's own links each work out their address with every change of page, and a menu or a table holds hundreds.
 */
export function AppLink({ path, search, ...rest }: Props) {
  const router = useRouter()
  const href = search ? path + router.options.stringifySearch(search) : path
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void router.navigate({ href })
  }
  // What does not come now is fetched again when it is needed.
  const preload = () => void router.preloadRoute({ to: href.replace(/\?.*/, '') }).catch(() => undefined)
  return <a {...rest} href={href} onClick={follow} onMouseEnter={preload} onFocus={preload} onTouchStart={preload} />
}
