import type { Canvas } from './canvas.ts';
import { coin, eye, INK, OUTLINE, spots } from './mascot-kit.ts';
import type { Palette } from './palettes.ts';

export function frog(canvas: Canvas): void {
  const skin = canvas.linear('#8be04e 0, #2f9e44 1');
  canvas.path('M150 1230C150 1000 290 900 450 900S750 1000 750 1230Z', skin, OUTLINE);
  canvas.path('M290 1230C290 1070 350 1000 450 1000S610 1070 610 1230Z', '#e6fbb8');
  canvas.circle(300, 470, 120, skin, OUTLINE);
  canvas.circle(600, 470, 120, skin, OUTLINE);
  canvas.path('M110 700C110 530 260 470 450 470S790 530 790 700S640 930 450 930S110 870 110 700Z', skin, OUTLINE);
  canvas.ellipse(450, 545, 180, 40, '#72cf45');
  eye(canvas, 300, 470, 82, 0.25, 0.18);
  eye(canvas, 600, 470, 82, -0.25, 0.18);
  canvas.path('M210 455A92 92 0 0 1 390 455Z', '#5cbf3d', OUTLINE);
  canvas.path('M510 455A92 92 0 0 1 690 455Z', '#5cbf3d', OUTLINE);
  canvas.circle(420, 625, 9, INK);
  canvas.circle(480, 625, 9, INK);
  canvas.path('M205 710C300 780 600 780 695 710C680 860 560 890 450 890S220 860 205 710Z', '#7a1f3d', OUTLINE);
  canvas.path('M330 850C370 790 530 790 570 850C540 880 360 880 330 850Z', '#ff6b81');
  coin(canvas, 450, 800, 78);
  canvas.ellipse(185, 650, 44, 28, '#ff8fa3', { opacity: 0.8 });
  canvas.ellipse(715, 650, 44, 28, '#ff8fa3', { opacity: 0.8 });
}

export function goose(canvas: Canvas): void {
  const white = canvas.linear('#ffffff 0, #d9e2f2 1');
  canvas.path('M90 1230C100 1010 250 930 430 930S800 1010 830 1230Z', white, OUTLINE);
  canvas.path('M600 1040C690 1020 770 1080 800 1230H600C560 1160 550 1080 600 1040Z', '#c3cfe4', OUTLINE);
  canvas.path(
    'M300 1000C330 860 250 760 250 600C250 440 360 350 480 350S690 440 690 570C690 700 600 740 590 830C585 900 610 960 620 1010Z',
    white,
    OUTLINE,
  );
  canvas.path('M300 1000C330 860 250 760 250 600C250 560 258 520 272 486C290 640 390 740 350 1010Z', '#c3cfe4', {
    opacity: 0.7,
  });
  canvas.path('M540 600C620 560 760 540 850 520C830 590 760 620 690 630Z', '#ff9f1c', OUTLINE);
  canvas.path('M545 640C640 640 740 700 810 790C720 780 600 760 540 700Z', '#f77f00', OUTLINE);
  canvas.path('M560 625C620 625 690 640 740 668C680 680 600 680 552 668Z', '#c9184a');
  eye(canvas, 520, 515, 62, 0.25, 0.1);
  canvas.line('M440 430L580 478', INK, 26);
  canvas.path('M330 375L345 190H585L600 375Z', '#3a2a5c', OUTLINE);
  canvas.rect(337, 300, 256, 50, '#ef4444');
  canvas.path('M260 375H670', 'none', { ...OUTLINE, 'stroke-width': 34 });
  canvas.circle(530, 520, 92, 'none', { stroke: '#ffc928', 'stroke-width': 12 });
  canvas.line('M455 575C400 680 420 780 400 900', '#ffc928', 8);
  canvas.path('M450 1010L370 960V1070ZM450 1010L530 960V1070Z', '#ef4444', OUTLINE);
  canvas.circle(450, 1013, 22, '#ef4444', OUTLINE);
}

export function cat(canvas: Canvas): void {
  const fur = canvas.linear('#8d7bd8 0, #5a47a8 1');
  canvas.path(
    'M60 1040C60 960 840 960 840 1040S760 1180 450 1180S60 1120 60 1040Z',
    canvas.linear('#ff9ad5 0, #e0559f 1'),
    OUTLINE,
  );
  canvas.path('M700 960C850 930 850 760 740 770C800 830 760 890 680 900Z', fur, OUTLINE);
  canvas.path('M130 960C120 800 260 720 450 720S790 800 770 960C760 1040 140 1040 130 960Z', fur, OUTLINE);
  canvas.path('M180 560L170 350C170 320 200 310 222 330L360 430Z', fur, OUTLINE);
  canvas.path('M720 560L730 350C730 320 700 310 678 330L540 430Z', fur, OUTLINE);
  canvas.path('M212 470L208 385L290 445ZM688 470L692 385L610 445Z', '#ffb3d9');
  canvas.path(
    'M140 670C130 500 270 410 450 410S770 500 760 670C750 830 620 890 450 890S150 830 140 670Z',
    fur,
    OUTLINE,
  );
  canvas.line('M450 440V520M390 450L402 512M510 450L498 512', '#43328a', 18);
  canvas.line('M250 650C280 695 350 695 380 650M520 650C550 695 620 695 650 650', INK, 16);
  canvas.path('M420 725H480L450 758Z', '#ff7fbf', OUTLINE);
  canvas.line('M450 765C440 810 380 810 365 780M450 765C460 810 520 810 535 780', INK, 14);
  canvas.line('M95 690L240 715M100 790L240 765M805 690L660 715M800 790L660 765', INK, 10);
  canvas.ellipse(255, 745, 42, 26, '#ff9ad5', { opacity: 0.8 });
  canvas.ellipse(645, 745, 42, 26, '#ff9ad5', { opacity: 0.8 });
  for (const x of [330, 570])
    canvas.path(
      `M${x - 75} 985C${x - 75} 925 ${x + 75} 925 ${x + 75} 985S${x - 75} 1035 ${x - 75} 985Z`,
      '#a99bea',
      OUTLINE,
    );
  for (const [x, y, s] of [
    [640, 290, 40],
    [715, 190, 56],
    [800, 70, 74],
  ] as const) {
    canvas.line(`M${x} ${y}h${s}l${-s} ${s}h${s}`, INK, 30);
    canvas.line(`M${x} ${y}h${s}l${-s} ${s}h${s}`, '#fde047', 14);
  }
}

export function octopus(canvas: Canvas, palette: Palette): void {
  const arms = [
    'M330 840C250 900 210 1000 100 960C30 930 60 830 120 850',
    'M390 880C370 980 330 1100 220 1110C140 1110 140 1020 200 1020',
    'M450 890C450 1000 470 1120 400 1170',
    'M510 880C530 980 570 1100 680 1110C760 1110 760 1020 700 1020',
    'M570 840C650 900 690 1000 800 960C870 930 840 830 780 850',
    'M300 780C200 780 130 740 110 640',
    'M600 780C700 780 770 740 790 640',
  ];
  for (const d of arms) canvas.line(d, INK, 92);
  for (const d of arms) canvas.line(d, '#ff5d8f', 64);
  for (const d of arms) canvas.line(d, '#ffb3c8', 14, { 'stroke-dasharray': '1 38' });
  canvas.path(
    'M200 640C180 430 300 300 450 300S720 430 700 640C690 760 660 800 620 860C560 930 340 930 280 860C240 800 210 760 200 640Z',
    canvas.linear('#ff8fb1 0, #e8336d 1'),
    OUTLINE,
  );
  canvas.path('M270 440C310 370 370 350 420 350', 'none', {
    stroke: '#ffffff',
    'stroke-width': 22,
    'stroke-linecap': 'round',
    opacity: 0.7,
  });
  spots(canvas, '#ffb3c8', '600 420 26, 640 490 16, 560 375 13');
  eye(canvas, 350, 620, 84, 0.22, 0.15);
  eye(canvas, 550, 620, 84, -0.22, 0.15);
  canvas.path('M380 760C410 850 490 850 520 760Z', '#7a1f3d', OUTLINE);
  canvas.path('M412 810C430 785 470 785 488 810C470 830 430 830 412 810Z', '#ffb3c8');
  canvas.ellipse(250, 735, 36, 24, palette.light, { opacity: 0.6 });
  canvas.ellipse(650, 735, 36, 24, palette.light, { opacity: 0.6 });
  coin(canvas, 110, 590, 70);
  coin(canvas, 790, 590, 70);
  coin(canvas, 450, 235, 86);
}
