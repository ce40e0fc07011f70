import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { Dialog, DialogButtons } from '../../ui/feedback/dialog'
import { useText } from '../../ui/text'
import { type Lie, MOST_ZOOM, scaleOf, shownOf, type Size, TARGET, within } from './crop.rules'
import styles from './crop.module.css'

/** Half of what is kept; both measure it. */
const FRAME: Size = { width: TARGET.width / 2, height: TARGET.height / 2 }
const STEP_PX = 8
const QUALITY = 0.85

const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** What of a picture stays: it is moved behind a frame by dragging or the arrows, and enlarged. */
export function CropDialog(props: { picture: ImageBitmap; onCut: (part: Blob | null) => void; onClose: () => void }) {
  const { picture, onCut, onClose } = props
  const t = useText('catalog')
  const [lie, setLie] = useState<Lie>({ zoom: 1, x: 0, y: 0 })
  const from = useRef<{ x: number; y: number } | null>(null)
  const move = (next: Lie) => setLie(within(picture, FRAME, next))
  const onKey = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (!step) return
    event.preventDefault()
    move({ ...lie, x: lie.x + step[0] * STEP_PX, y: lie.y + step[1] * STEP_PX })
  }
  const onPointer = (event: PointerEvent<HTMLElement>) => {
    if (event.type === 'pointerdown') event.currentTarget.setPointerCapture(event.pointerId)
    const before = event.type === 'pointerdown' ? null : from.current
    if (before) move({ ...lie, x: lie.x + event.clientX - before.x, y: lie.y + event.clientY - before.y })
    from.current = event.type === 'pointerup' ? null : before || event.type === 'pointerdown' ? atOf(event) : null
  }
  return (
    <Dialog
      title={t('crop')}
      onSubmit={() => void cut(picture, lie).then(onCut)}
      onCancel={onClose}
      actions={<DialogButtons onCancel={onClose} send={t('crop.take')} />}
    >
      <p className="quiet">{t('crop.hint', TARGET)}</p>
      <div
        className={styles.frame}
        role="application"
        aria-label={t('crop.frame')}
        tabIndex={0}
        style={FRAME}
        onKeyDown={onKey}
        onPointerDown={onPointer}
        onPointerMove={onPointer}
        onPointerUp={onPointer}
      >
        <Shown picture={picture} lie={lie} />
      </div>
      <label className={styles.zoom}>
        {t('crop.zoom')}
        <input
          type="range"
          min={1}
          max={MOST_ZOOM}
          step={0.05}
          value={lie.zoom}
          onChange={({ target }) => move({ ...lie, zoom: Number(target.value) })}
        />
      </label>
    </Dialog>
  )
}

const atOf = ({ clientX, clientY }: PointerEvent) => ({ x: clientX, y: clientY })

function Shown({ picture, lie }: { picture: ImageBitmap; lie: Lie }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => canvas.current?.getContext('2d')?.drawImage(picture, 0, 0), [picture])
  const scale = scaleOf(picture, FRAME, lie.zoom)
  return (
    <canvas
      ref={canvas}
      width={picture.width}
      height={picture.height}
      style={{ transform: `translate(-50%, -50%) translate(${lie.x}px, ${lie.y}px) scale(${scale})` }}
    />
  )
}

/** On white, since a jpg has no parts that one sees through; of this size it never weighs half a megabyte. */
function cut(picture: ImageBitmap, lie: Lie): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  canvas.width = TARGET.width
  canvas.height = TARGET.height
  const context = canvas.getContext('2d')
  if (!context) return Promise.resolve(null)
  context.fillStyle = 'white'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.imageSmoothingQuality = 'high'
  const { x, y, width, height } = shownOf(picture, FRAME, lie)
  context.drawImage(picture, x, y, width, height, 0, 0, canvas.width, canvas.height)
  return new Promise((done) => canvas.toBlob(done, 'image/jpeg', QUALITY))
}
