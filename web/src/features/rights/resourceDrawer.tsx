import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import {
  deleteExternal,
  getResource,
  listResources,
  resourceFields,
  resourceState,
  switchOff,
  switchOn,
} from '@aisle/contract/rights/resource'
import { screenOf } from '@aisle/contract/screens'
import { Link } from '@tanstack/react-router'
import { CommandButton } from '../../admin/commandButton'
import { RemoveButton } from '../../admin/removeButton'
import { StateCell } from '../../admin/fields/state'
import { When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { can } from '../../live/session'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { useText } from '../../ui/text'
import styles from './rights.module.css'

type Detail = OutputOf<typeof getResource>

/** What a permission opens and who holds it; the way to stop it for everybody. */
export function ResourceDrawer({ open }: DrawerRow) {
  const t = useText('rights')
  const result = useEndpoint(getResource, { code: open }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ name }) => name}
      head={({ kind, state }) => (
        <div className="tags">
          <StateCell value={state} field={resourceFields.state} t={t} />
          <StateCell value={kind} field={resourceFields.kind} t={t} />
        </div>
      )}
      actions={(resource) => <Verbs resource={resource} />}
    >
      {(resource) => <Body resource={resource} />}
    </RowDrawer>
  )
}

function Body({ resource }: { resource: Detail }) {
  const t = useText('rights')
  const { off, external, pages, calls, roles } = resource
  return (
    <>
      {off && (
        <p className="list-notice">
          <span>
            {t('resource.offSince', { by: off.by, reason: off.reason })} <When at={off.at} />
          </span>
        </p>
      )}
      <Facts
        facts={[
          { label: t('field.code'), value: <code>{resource.code}</code> },
          { label: t('field.group'), value: resource.group },
          { label: t('field.url'), value: resource.url },
          { label: t('field.description'), value: external?.description ?? '' },
          { label: t('field.userCount'), value: resource.userCount },
        ]}
      />
      {pages.length > 0 && (
        <Section title={t('resource.pages')}>
          <ul className={styles.holders}>
            {pages.map(({ path, title }) => (
              <li key={path}>
                <Link to={path}>{title}</Link>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title={t('resource.roles')}>
        {roles.length === 0 && <p className="quiet">{t('resource.roles.none')}</p>}
        <ul className={styles.holders}>
          {roles.map(({ id, name, merchantName }) => (
            <li key={id}>
              <Link to={screenOf('xtgl/jszyqx').path} search={{ id: String(id) }}>
                {name}
              </Link>{' '}
              <span className="quiet">{merchantName}</span>
            </li>
          ))}
        </ul>
      </Section>
      {calls.length > 0 && (
        <Section title={t('resource.calls')}>
          <ul className={styles.holders}>
            {calls.map(({ name, method, path }) => (
              <li key={name}>
                <code>{`${method} ${path}`}</code>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

function Verbs({ resource: { code, name, state, isEssential, external, roleCount, userCount } }: { resource: Detail }) {
  const t = useText('rights')
  const common = { target: { code }, vars: { name, count: userCount }, t, changes: [listResources, getResource] }
  const edit = screenOf('xtgl/bjptzy')
  return (
    <>
      {external && can(edit.access) && (
        <Link className="btn" to={edit.path} search={{ id: code }}>
          {t('resource.edit')}
        </Link>
      )}
      {resourceState.is(state, 'on') && (
        <CommandButton {...common} endpoint={switchOff} verb="switchOff" tone="danger" isEnabled={!isEssential} />
      )}
      {resourceState.is(state, 'off') && <CommandButton {...common} endpoint={switchOn} verb="switchOn" tone="main" />}
      {external && (
        <RemoveButton
          {...common}
          endpoint={deleteExternal}
          verb="deleteExternal"
          target={{ id: external.id }}
          isEnabled={roleCount === 0}
          changes={[listResources]}
        />
      )}
    </>
  )
}
