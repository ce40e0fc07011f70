import type { Position } from '@aisle/contract/fleet/point'
import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { chinaMap } from 'virtual:china-map'
import { isOnMap, project, type Spot, unproject } from '../../../ui/chart/projection'
import { useText } from '../../../ui/text'
import styles from './pointMap.module.css'
import { following, MOST_ZOOM, rounded, stepped, type View, viewBox, zoomed } from './pointMap.rules'

const { width, height, projection, provinces, inset } = chinaMap
const WHOLE: View = { x: width / 2, y: height / 2, zoom: 1 }
const NEAR = 16

const spotOf = (position: Position | null): Spot | null => {
  if (!position) return null
  const place = [position.longitude, position.latitude] as const
  return isOnMap(place) ? project(projection, place) : null
}

/** The country with one mark; where `onMark` is given, a press or the arrow keys set it. Needs no network. */
export function PointMap(props: { position: Position | null; onMark?: (position: Position) => void }) {
  const { position, onMark } = props
  const t = useText('fleet')
  const mark = spotOf(position)
  const [view, setView] = useState<View>(() => (mark ? { x: mark[0], y: mark[1], zoom: NEAR } : WHOLE))
  const set = (spot: Spot) => {
    const [longitude, latitude] = unproject(projection, spot)
    onMark?.({ longitude: rounded(longitude), latitude: rounded(latitude) })
    setView(following(chinaMap, view, spot))
  }
  const zoom = (by: number) => setView(zoomed(view, by, mark))
  const onPress = (event: PointerEvent<SVGSVGElement>) => {
    const toMap = event.currentTarget.getScreenCTM()?.inverse()
    if (!onMark || !toMap) return
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(toMap)
    set([x, y])
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const to = onMark && stepped(chinaMap, view, mark ?? [view.x, view.y], event.key, event.shiftKey)
    if (to) set(to)
    else if (event.key === '+' || event.key === '=') zoom(2)
    else if (event.key === '-') zoom(0.5)
    else return
    event.preventDefault()
  }
  return (
    <div className={styles.pointMap}>
      <div
        className={styles.frame}
        role={onMark ? 'application' : 'img'}
        aria-label={t('map.label')}
        tabIndex={onMark ? 0 : undefined}
        onKeyDown={onKey}
      >
        <svg viewBox={viewBox(chinaMap, view).join(' ')} onPointerUp={onPress} className={onMark && styles.isMarkable}>
          {provinces.map(({ code, path }) => (
            <path key={code} d={path} />
          ))}
          <rect x={inset.x} y={inset.y} width={inset.width} height={inset.height} />
          <path d={inset.land} />
          <path className={styles.dashes} d={inset.dashes} />
          {mark && <Mark spot={mark} size={width / view.zoom / 36} />}
        </svg>
      </div>
      <div className={styles.tools}>
        <button type="button" className="btn" disabled={view.zoom >= MOST_ZOOM} onClick={() => zoom(2)}>
          {t('map.zoomIn')}
        </button>
        <button type="button" className="btn" disabled={view.zoom <= 1} onClick={() => zoom(0.5)}>
          {t('map.zoomOut')}
        </button>
        <button type="button" className="btn" disabled={view.zoom <= 1} onClick={() => setView(WHOLE)}>
          {t('map.whole')}
        </button>
        {position && !mark && <span className="quiet">{t('map.off')}</span>}
      </div>
    </div>
  )
}

/** A pin whose point stands at the spot. */
function Mark({ spot: [x, y], size }: { spot: Spot; size: number }) {
  return (
    <g transform={`translate(${x} ${y}) scale(${size})`} className={styles.mark}>
      <path d="M0 0C-.2-.5-.55-.75-.55-1.15a.55.55 0 0 1 1.1 0C.55-.75.2-.5 0 0Z" />
      <circle cy="-1.15" r=".2" />
    </g>
  )
}
