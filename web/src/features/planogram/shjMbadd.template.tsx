import { addTemplate, listTemplates } from '@aisle/contract/planogram/template'
import { screenOf } from '@aisle/contract/screens'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { refetch } from '../../live/query'
import { useSession } from '../../live/session'
import { Hints } from '../../ui/feedback/hint'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import { TemplateForm } from './templateForm'
import { blankSlots } from './template.rules'
import styles from './slots.module.css'
import { classes } from '../../ui/classes'

/** For operators, when a kind of site is new: how machines of that kind are filled, priced and set. */
export default function AddTemplatePage() {
  const t = useText('planogram')
  const title = useText('screens')('shj/shjMbadd')
  const navigate = useNavigate()
  const merchantId = useSession()?.info?.merchant.id
  const [slots] = useState(blankSlots)
  return (
    <div className={classes('list-main', styles.page)}>
      <header className="list-head">
        <h1>{title}</h1>
      </header>
      <p className="quiet">{t('template.addAbout')}</p>
      <TemplateForm
        endpoint={addTemplate}
        initial={{ merchantId, slots }}
        known={[]}
        save={t('verb.addTemplate')}
        onSaved={async ({ id }, { name }) => {
          toast('good', t('verb.addTemplate.done', { name: String(name) }))
          await refetch(listTemplates)
          await navigate({ to: screenOf('shj/shjMbset').path, search: { id: String(id), view: 'apply' } })
        }}
      />
      <Hints />
    </div>
  )
}
