import { switchRole } from '@aisle/contract/rights/acting'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useCommand } from '../../live/query'
import { can, type Session, useSession } from '../../live/session'
import { Icon } from '../../ui/icons'
import { MenuButton, type MenuEntry } from '../../ui/control/menuButton'
import { toast } from '../../ui/feedback/notice'
import { setExactTimes, useExactTimes } from '../../ui/prefs'
import { useText } from '../../ui/text'
import { followRights } from './followRights'
import { leave, passwordScreen } from './tools'
import styles from './topBar.module.css'

/** Who is signed in, and as what: with several roles, one of them or all. */
export function UserMenu() {
  const [isJoining, setJoining] = useState(false)
  return (
    <>
      <OwnMenu onSso={() => setJoining(true)} />
      {isJoining && (
        <Suspense>
          <SsoSettings onClose={() => setJoining(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Set up once in the life of a platform, so it comes when it is asked for. */
const SsoSettings = lazy(async () => ({
  default: (await import('../../features/identity/signIn/ssoSettings')).SsoSettings,
}))

function OwnMenu({ onSso }: { onSso: () => void }) {
  const t = useText('system')
  const navigate = useNavigate()
  const session = useSession()
  const roles = useRoleEntries(session?.info ?? null)
  const isExact = useExactTimes()
  if (!session) return null
  const { accountname, info } = session
  const name = info?.displayName || accountname
  const mayJoin = info?.kind === 'platform_admin' && can('setting.write')
  return (
    <MenuButton
      label={t('shell.userMenu', { name: info ? `${name} ${info.merchant.name}` : name })}
      face={
        <>
          <Icon name="user" />
          <span className={styles.user}>
            {name} {info && <small>{info.activeRole?.name ?? info.merchant.name}</small>}
          </span>
        </>
      }
      head={
        <>
          <b>{name}</b>
          <small className={styles.menuWho}>
            {accountname}
            {info && ` · ${t(`shell.role.${info.kind}`)} · ${info.merchant.name}`}
          </small>
        </>
      }
      entries={[
        ...roles,
        {
          key: 'setpwd',
          label: t('tool.setpwd'),
          icon: <Icon name="lock" />,
          ...(passwordScreen.built ? {} : { note: t('shell.soon') }),
          onPick: () => void navigate({ to: passwordScreen.path }),
        },
        ...(['factor', 'devices'] as const).map((tab) => ({
          key: tab,
          label: t(`tool.${tab}`),
          icon: <Icon name={tab === 'factor' ? 'phone' : 'screen'} />,
          onPick: () => void navigate({ href: `${passwordScreen.path}?tab=${tab}` }),
        })),
        ...(mayJoin ? [{ key: 'sso', label: t('tool.sso'), icon: <Icon name="globe" />, onPick: onSso }] : []),
        {
          key: 'times',
          label: t('tool.exactTimes'),
          icon: <Icon name="calendar" />,
          isCurrent: isExact,
          onPick: () => setExactTimes(!isExact),
        },
        'line',
        { key: 'signOut', label: t('shell.signOut'), icon: <Icon name="exit" />, onPick: () => void leave() },
      ]}
    />
  )
}

/** None for who has one role, or none: there is nothing to choose. */
function useRoleEntries(info: Session['info']): MenuEntry[] {
  const rights = useText('rights')
  const switching = useCommand(switchRole, {
    onSuccess: async (_, { roleId }) => {
      await followRights()
      const role = info?.roleChoices.find(({ id }) => id === roleId)
      toast('good', role ? rights('acting.switched', { name: role.name }) : rights('acting.switchedAll'))
    },
  })
  if (!info || info.roleChoices.length < 2) return []
  const why = info.viewedRole ? { disabled: rights('acting.stopFirst') } : {}
  const active = info.activeRole?.id ?? null
  const all = { key: 'role-all', label: rights('acting.all'), roleId: null as number | null }
  const one = info.roleChoices.map(({ id, name }) => ({ key: `role-${id}`, label: name, roleId: id }))
  const entries = [all, ...one].map(({ key, label, roleId }) => ({
    key,
    label,
    ...why,
    isCurrent: roleId === active,
    onPick: () => switching.mutate({ roleId }),
  }))
  return [...entries, 'line']
}
