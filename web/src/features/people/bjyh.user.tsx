import { editUser, getUser, listUsers, type UserDetail, userFields } from '@aisle/contract/people/user'
import { screenOf } from '@aisle/contract/screens'
import { useNavigate } from '@tanstack/react-router'
import { Form } from '../../admin/form/form'
import { refetch } from '../../live/query'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import { LanguageInput, LevelInput, OwnerContext, UnitInput } from './choiceInputs'
import { userPage } from './userPage'

/** For an administrator, when a number, a place or a level changes; what somebody else saved meanwhile is said. */
export default userPage('shgl/bjyh', EditUser)

function EditUser({ user }: { user: UserDetail }) {
  const t = useText('people')
  const navigate = useNavigate()
  const { id, version, merchantId, account, name, phone, email, organisationId, kind, language, hindrance } = user
  const isAbove = hindrance === 'holdsMore'
  const why = isAbove ? t('hindrance.holdsMore') : undefined
  const names = ['name', 'phone', 'email', 'language', 'organisationId', 'kind']
  const locked = Object.fromEntries(names.map((each) => [each, why]))
  // What people see comes through their unit; administrators see it wherever they are.
  const isOwnPlace = kind === 'ordinary' || kind === 'doctor'
  const own = { kind: t('hindrance.self'), ...(isOwnPlace ? { organisationId: t('hindrance.ownPlace') } : {}) }
  return (
    <OwnerContext value={merchantId}>
      <p>
        {name} <span className="quiet">{`${account} · ${user.merchantName}`}</span>
      </p>
      <Form
        spec={{
          t,
          endpoint: editUser,
          fields: userFields,
          groups: [
            { key: 'person', names: ['name', 'phone', 'email', 'language'] },
            { key: 'place', names: ['organisationId', 'kind'] },
          ],
          inputs: { organisationId: UnitInput, kind: LevelInput, language: LanguageInput },
          initial: { name, phone, email, language, organisationId, kind },
          target: { id, version },
          locked: { ...locked, ...(hindrance === 'self' ? own : {}) },
        }}
        save={isAbove ? null : t('verb.editUser')}
        onSaved={async () => {
          toast('good', t('verb.editUser.done', { name }))
          await refetch(getUser, listUsers)
          await navigate({ to: screenOf('shgl/wdtd').path, search: { open: String(id) } })
        }}
      />
    </OwnerContext>
  )
}
