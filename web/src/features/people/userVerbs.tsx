import { resetSecondFactor } from '@aisle/contract/identity/secondFactor'
import {
  disableUser,
  enableUser,
  getUser,
  listUsers,
  resetUserPassword,
  unblockUser,
  type UserDetail,
  userState,
} from '@aisle/contract/people/user'
import { screenOf } from '@aisle/contract/screens'
import { Link } from '@tanstack/react-router'
import { CommandButton } from '../../admin/commandButton'
import { can } from '../../live/session'
import { useFirstPassword } from '../../ui/feedback/firstPassword'
import { useText } from '../../ui/text'

const changes = [listUsers, getUser] as const

/** What may be done about somebody. Of somebody with more rights nothing may, and the reason stands above. */
export function UserVerbs({ user }: { user: UserDetail }) {
  const t = useText('people')
  const [tell, told] = useFirstPassword()
  const { id, name, account, phone, state, hindrance, openSessions } = user
  if (!can('user.write')) return null
  if (hindrance === 'holdsMore') return <p className="quiet">{t('hindrance.holdsMore')}</p>
  const isOther = hindrance === null
  const common = {
    t,
    target: { id },
    vars: { name, account, phone: phone ?? '', sessions: openSessions },
    changes,
  }
  return (
    <>
      <FormLink screen="shgl/bjyh" id={id} word={t('user.edit')} />
      {isOther && <FormLink screen="shgl/management" id={id} word={t('user.roles')} />}
      <CommandButton
        {...common}
        endpoint={resetUserPassword}
        verb="resetUserPassword"
        isEnabled={isOther && phone !== null}
        onDone={({ firstPassword }) => tell(firstPassword, (vars) => t('verb.resetUserPassword.done', vars))}
      />
      <CommandButton
        {...common}
        endpoint={resetSecondFactor}
        verb="resetFactor"
        fields={{ reason: { kind: 'longText' } }}
        isEnabled={isOther}
      />
      {user.blockedUntil && <CommandButton {...common} endpoint={unblockUser} verb="unblockUser" />}
      {userState.is(state, 'disabled') ? (
        <CommandButton {...common} endpoint={enableUser} verb="enableUser" tone="main" isEnabled={isOther} />
      ) : (
        <CommandButton
          {...common}
          endpoint={disableUser}
          verb="disableUser"
          tone="danger"
          isEnabled={isOther && userState.can(state, 'disable')}
        />
      )}
      {told}
    </>
  )
}

function FormLink({ screen, id, word }: { screen: string; id: number; word: string }) {
  return (
    <Link to={screenOf(screen).path} search={{ id: String(id) }} className="btn">
      {word}
    </Link>
  )
}
