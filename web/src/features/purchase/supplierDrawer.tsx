import * as contract from '@aisle/contract/purchase/supplier'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { CommandButton } from '../../admin/commandButton'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Day } from '../../admin/fields/time'
import { Scans, ScansInput } from '../../shelf/scansInput'
import type { Values } from '../../admin/form/schema'
import type { DrawerRow } from '../../admin/rowDrawer'
import { Section } from '../../ui/feedback/drawer'
import { useText } from '../../ui/text'
import { suppliers } from './supplierRecord'
import lined from '../../shelf/lines.module.css'
import styles from './purchase.module.css'

type Detail = OutputOf<typeof contract.getSupplier>

/** Whether anything may be ordered, its papers with their ends, and all else that is known. */
export function SupplierDrawer({ id }: DrawerRow) {
  const t = useText('purchase')
  return (
    <suppliers.Drawer id={id} tags={['state', 'deliversMedicine']} verbs={(supplier) => <Verbs supplier={supplier} />}>
      {(supplier) => (
        <>
          {supplier.missing.length > 0 && (
            <p className={styles.warning}>
              {t('supplier.missing', {
                papers: supplier.missing.map((each) => t(`neededPaper.${each}`)).join(' · '),
              })}
            </p>
          )}
          <Section title={t('supplier.papers')}>
            <Papers supplier={supplier} />
          </Section>
          <Section title={t('supplier.facts')}>
            <suppliers.Known
              row={supplier}
              without={['name', 'state', 'deliversMedicine', 'missing', 'productCount']}
            />
            <p>
              <ScreenLink screen="jxcgl/gysspsz" search={{ supplierId: String(id) }}>
                {t('supplier.products', { count: countText(supplier.productCount) })}
              </ScreenLink>
            </p>
          </Section>
        </>
      )}
    </suppliers.Drawer>
  )
}

const isForMedicine = (kind: unknown) => kind === 'medicineTrade' || kind === 'medicineMaking'
const without = ({ kind }: Values) => (isForMedicine(kind) ? [] : ['scope'])

function Verbs({ supplier }: { supplier: Detail }) {
  const t = useText('purchase')
  const { id, name, state, missing, mayApprove } = supplier
  const common = { t, target: { id }, vars: { name }, changes: suppliers.shown }
  const can = (verb: keyof typeof contract.supplierState.moves) => contract.supplierState.can(state, verb)
  return (
    <>
      {can('submit') && (
        <CommandButton
          {...common}
          endpoint={contract.submitSupplier}
          verb="submitSupplier"
          tone="main"
          isEnabled={missing.length === 0}
        />
      )}
      {can('approve') && (
        <>
          <CommandButton
            {...common}
            endpoint={contract.approveSupplier}
            verb="approveSupplier"
            tone="main"
            isEnabled={mayApprove}
          />
          <CommandButton {...common} endpoint={contract.rejectSupplier} verb="rejectSupplier" tone="danger" />
        </>
      )}
      <CommandButton
        {...common}
        endpoint={contract.addPaper}
        verb="addPaper"
        fields={contract.paperFields}
        inputs={{ pictures: ScansInput }}
        without={without}
      />
      <CommandButton
        {...common}
        endpoint={contract.putSupplierAccount}
        verb="putSupplierAccount"
        initial={{ bank: supplier.bank, accountHolder: supplier.accountHolder }}
      />
    </>
  )
}

function Papers({ supplier: { id, papers } }: { supplier: Detail }) {
  const t = useText('purchase')
  if (papers.length === 0) return <p className="quiet">{t('supplier.papers.none')}</p>
  return (
    <ul className={lined.lines}>
      {papers.map((paper) => (
        <li key={paper.id}>
          <span className={lined.what}>
            {t(`paperKind.${paper.kind}`)}
            <small className="quiet">
              {[paper.number, paper.scope.map((each) => t(`paperScope.${each}`)).join(' · ')]
                .filter(Boolean)
                .join(' · ')}
            </small>
            <small className="quiet">
              <Day on={paper.validFrom} /> – {paper.validTo ? <Day on={paper.validTo} /> : t('supplier.longTerm')}
              {paper.revokeReason && ` · ${paper.revokeReason}`}
            </small>
          </span>
          <Scans pictures={paper.pictures} label={paper.number} />
          <StateCell value={paper.state} field={contract.paperFields.state} t={t} />
          {!contract.paperState.is(paper.state, 'revoked') && (
            <CommandButton
              t={t}
              endpoint={contract.revokePaper}
              verb="revokePaper"
              target={{ id, paperId: paper.id }}
              vars={{ number: paper.number }}
              tone="danger"
              changes={suppliers.shown}
            />
          )}
        </li>
      ))}
    </ul>
  )
}
