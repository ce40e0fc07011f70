import { getUser, type UserDetail, userFields } from '@aisle/contract/people/user'
import { languageNames } from '@aisle/contract/kernel/text'
import { StateCell } from '../../admin/fields/state'
import { Ago, When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Facts } from '../../ui/facts'
import { Tabs } from '../../ui/control/tabs'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import { UserHistory } from './userHistory'
import { UserMachines } from './userMachines'
import { UserRoles } from './userRoles'
import { UserVerbs } from './userVerbs'

/** Who somebody is, what they may do and see, and what was changed about them. */
export function UserDrawer({ id, tab, pickTab }: DrawerRow) {
  const t = useText('people')
  const result = useEndpoint(getUser, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ name, account }) => (
        <>
          {name} <small className="quiet">{account}</small>
        </>
      )}
      head={(user) => <Marks user={user} />}
      actions={(user) => <UserVerbs user={user} />}
    >
      {(user) => (
        <Tabs
          label={user.name}
          current={tab}
          onPick={pickTab}
          tabs={[
            { key: 'facts', label: t('user.tab.facts'), panel: <Overview user={user} /> },
            { key: 'roles', label: t('user.tab.roles'), panel: <UserRoles user={user} /> },
            { key: 'machines', label: t('user.tab.machines'), panel: <UserMachines key={id} id={id} /> },
            { key: 'history', label: t('user.tab.history'), panel: <UserHistory history={user.history} /> },
          ]}
        />
      )}
    </RowDrawer>
  )
}

type Shown = { user: UserDetail }

function Marks({ user }: Shown) {
  const t = useText('people')
  return (
    <div className="tags">
      <StateCell value={user.state} field={userFields.state} t={t} />
      <StateCell value={user.kind} field={userFields.kind} t={t} />
      {user.blockedUntil && <Tag tone="bad" word={t('user.blocked')} hint={t('user.blocked.help')} />}
      {user.mustChangePassword && <Tag tone="warn" word={t('user.mustChange')} hint={t('user.mustChange.help')} />}
    </div>
  )
}

function Overview({ user }: Shown) {
  const t = useText('people')
  const { phone, email } = user
  return (
    <Facts
      facts={[
        { label: t('field.merchantName'), value: user.merchantName },
        { label: t('field.organisationName'), value: user.organisationName ?? t('user.noUnit') },
        { label: t('field.phone'), value: phone ? <a href={`tel:${phone}`}>{phone}</a> : t('user.noPhone') },
        { label: t('field.email'), value: email && <a href={`mailto:${email}`}>{email}</a> },
        { label: t('field.language'), value: languageNames[user.language] },
        { label: t('field.lastSignInAt'), value: <Ago at={user.lastSignInAt} /> },
        { label: t('field.openSessions'), value: String(user.openSessions) },
        { label: t('field.machineCount'), value: String(user.machineCount) },
        { label: t('field.blockedUntil'), value: user.blockedUntil && <When at={user.blockedUntil} /> },
        { label: t('field.createdAt'), value: <When at={user.createdAt} /> },
      ]}
    />
  )
}
