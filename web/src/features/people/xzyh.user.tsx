import { addUser, listUsers, userFields } from '@aisle/contract/people/user'
import { screenOf } from '@aisle/contract/screens'
import { useNavigate } from '@tanstack/react-router'
import { Form } from '../../admin/form/form'
import { refetch } from '../../live/query'
import { useSession } from '../../live/session'
import { useFirstPassword } from '../../ui/feedback/firstPassword'
import { useText } from '../../ui/text'
import { LanguageInput, LevelInput, OwnerInput, UnitInput, useUserChoices } from './choiceInputs'
import { RolesInput } from './rolesInput'

/** For an administrator, when somebody joins: the account, where they belong and what they may do, in one go. */
export default function AddUserPage() {
  const t = useText('people')
  const title = useText('screens')('shgl/xzyh')
  const navigate = useNavigate()
  const [tell, told] = useFirstPassword()
  const merchant = useSession()?.info?.merchant
  const isAlone = (useUserChoices({})?.merchants.length ?? 0) < 2
  return (
    <div className="list-main">
      <header className="list-head">
        <h1>{title}</h1>
      </header>
      <p className="quiet">{t('user.addAbout')}</p>
      <Form
        spec={{
          t,
          endpoint: addUser,
          fields: userFields,
          groups: [
            { key: 'person', names: ['account', 'name', 'phone', 'email', 'language'] },
            { key: 'place', names: ['merchantId', 'organisationId', 'kind'] },
            { key: 'roles', names: ['roleIds'] },
          ],
          inputs: {
            merchantId: OwnerInput,
            organisationId: UnitInput,
            kind: LevelInput,
            language: LanguageInput,
            roleIds: RolesInput,
          },
          initial: { kind: 'ordinary', language: 'zh', merchantId: merchant?.id, roleIds: [] },
          without: () => (isAlone ? ['merchantId'] : []),
        }}
        save={t('verb.addUser')}
        onSaved={async ({ id, firstPassword }) => {
          await tell(firstPassword, (vars) => t('verb.addUser.done', vars))
          await refetch(listUsers)
          await navigate({ to: screenOf('shgl/wdtd').path, search: { open: String(id) } })
        }}
      />
      {told}
    </div>
  )
}
