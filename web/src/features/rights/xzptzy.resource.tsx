import { createExternal, listResources } from '@aisle/contract/rights/resource'
import { screenOf } from '@aisle/contract/screens'
import { useNavigate } from '@tanstack/react-router'
import { Form } from '../../admin/form/form'
import { refetch } from '../../live/query'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import { externalInputs } from './externalForm'

/** For the platform's administrators, rarely: another system becomes a menu for whoever is given its code. */
export default function AddExternalPage() {
  const t = useText('rights')
  const title = useText('screens')('xtgl/xzptzy')
  const navigate = useNavigate()
  return (
    <div className="list-main">
      <header className="list-head">
        <h1>{title}</h1>
      </header>
      <p className="quiet">{t('resource.addAbout')}</p>
      <Form
        spec={{
          t,
          endpoint: createExternal,
          names: ['titles', 'code', 'url', 'menuGroup', 'description'],
          inputs: externalInputs,
          initial: { code: 'ext.', titles: {}, menuGroup: 'shj' },
        }}
        save={t('verb.createExternal')}
        onSaved={async ({ code }) => {
          toast('good', t('verb.createExternal.done', { code }))
          await refetch(listResources)
          await navigate({ to: screenOf('xtgl/gngl').path, search: { kind: 'external', open: code } })
        }}
      />
    </div>
  )
}
