import { addTemplate, getTemplate, listTemplates, templateFields } from '@aisle/contract/planogram/template'
import { screenOf } from '@aisle/contract/screens'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { listPage } from '../../admin/listPage'
import { can } from '../../live/session'
import { useText } from '../../ui/text'
import { ImportTemplates } from './importTemplates'
import { TemplateDrawer } from './templateDrawer'

/** For operators, weekly: the ways machines are filled, who follows each, and which machines are behind. */
export default listPage({
  screen: 'shj/mbgl',
  list: listTemplates,
  fields: templateFields,
  words: 'planogram',
  columns: [
    'name',
    'slotCount',
    'productCount',
    'machineCount',
    'behindCount',
    'merchantName',
    'updatedAt',
    'updatedBy',
    'remark',
  ],
  hidden: ['updatedBy'],
  sortable: { name: 'name', machineCount: 'machines', updatedAt: 'updated' },
  filters: ['q', 'merchantId'],
  actions: Actions,
  drawer: TemplateDrawer,
  live: { kinds: ['template'], also: [getTemplate] },
})

function Actions() {
  const t = useText('planogram')
  const [isImporting, setImporting] = useState(false)
  if (!can(addTemplate.access)) return null
  return (
    <>
      <button type="button" className="btn" onClick={() => setImporting(true)}>
        {t('import')}
      </button>
      <Link className="btn btn-main" to={screenOf('shj/shjMbadd').path}>
        {t('verb.addTemplate')}
      </Link>
      {isImporting && <ImportTemplates onClose={() => setImporting(false)} />}
    </>
  )
}
