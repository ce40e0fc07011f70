import { screenOf } from '@aisle/contract/screens'
import { can } from '../../live/session'
import { useText } from '../../ui/text'
import { AppLink } from '../appLink'
import type { CellProps, Kind } from './kind'
import { Nothing } from './text'

/** A code that opens its thing on its own screen; plain where the person may not go. */
export function ScreenLink(props: { screen: string; search: Record<string, string>; children: string }) {
  const { path, access } = screenOf(props.screen)
  if (!can(access)) return <span>{props.children}</span>
  return (
    <AppLink path={path} search={props.search} className="screen-link">
      {props.children}
    </AppLink>
  )
}

/** The same thing on other screens, by their names. */
export function ScreenLinks({ to }: { to: readonly (readonly [screen: string, search: Record<string, string>])[] }) {
  const screens = useText('screens')
  return (
    <span className="tags">
      {to.map(([screen, search]) => (
        <ScreenLink key={screen} screen={screen} search={search}>
          {screens.any(screen)}
        </ScreenLink>
      ))}
    </span>
  )
}

export const MachineLink = ({ code }: { code: string }) => (
  <ScreenLink screen="shj/wdshj" search={{ code }}>
    {code}
  </ScreenLink>
)

function RefCell({ value, field }: CellProps) {
  if (typeof value !== 'string' || field.kind !== 'ref') return <Nothing />
  return (
    <ScreenLink screen={field.to} search={{ [field.by]: value }}>
      {value}
    </ScreenLink>
  )
}

export const refKind: Kind = { Cell: RefCell, place: 'line' }
