import type { Canvas } from './canvas.ts';
import { coin, eye, INK, OUTLINE, spots } from './mascot-kit.ts';

export function toast(canvas: Canvas): void {
  canvas.line('M170 800C90 830 70 730 110 670M730 800C810 790 840 690 800 610', INK, 40);
  canvas.line('M320 1030V1150H270M580 1030V1150H630', INK, 40);
  const crust =
    'M200 640C90 600 110 380 290 390C350 350 550 350 610 390C790 380 810 600 700 640L690 980C690 1040 650 1060 610 1060H290C250 1060 210 1040 210 980Z';
  canvas.path(crust, canvas.linear('#d98a3d 0, #a85a1c 1'), OUTLINE);
  canvas.path(
    'M245 615C160 590 180 430 300 440C370 405 530 405 600 440C720 430 740 590 655 615L645 960C645 1000 630 1010 600 1010H300C270 1010 255 1000 255 960Z',
    canvas.linear('#ffe7b3 0, #ffd084 1'),
  );
  spots(canvas, '#e8a955', '300 520 12, 600 900 16, 340 930 11, 560 500 9, 620 720 10, 290 760 13');
  canvas.path(
    'M350 430C350 380 560 370 575 420C590 500 545 480 540 530C536 570 500 565 498 525C494 480 460 500 450 560C440 600 400 590 402 540C404 490 350 500 350 430Z',
    '#fff07a',
    OUTLINE,
  );
  canvas.path('M390 425C420 405 500 402 530 415', 'none', {
    stroke: '#ffffff',
    'stroke-width': 14,
    'stroke-linecap': 'round',
  });
  canvas.path(
    'M250 640H650L640 720C630 770 500 780 485 700L470 670H430L415 700C400 780 270 770 260 720Z',
    INK,
    OUTLINE,
  );
  canvas.path('M290 665L340 665L300 735ZM520 665L570 665L530 735Z', '#ffffff', { opacity: 0.85 });
  canvas.path('M360 830C400 900 500 900 545 815', 'none', OUTLINE);
  canvas.ellipse(305, 820, 36, 22, '#ff8d6b', { opacity: 0.75 });
  canvas.ellipse(600, 815, 36, 22, '#ff8d6b', { opacity: 0.75 });
  coin(canvas, 800, 575, 70);
}

export function potato(canvas: Canvas): void {
  canvas.line('M170 850C90 850 60 950 120 1000M735 830C830 780 820 690 770 650', INK, 38);
  canvas.path(
    'M220 560C270 400 470 370 590 450C720 540 780 760 730 930C680 1090 520 1130 380 1100C230 1070 140 930 160 780C168 700 195 640 220 560Z',
    canvas.linear('#e9bd7e 0, #a8703a 1', 70),
    OUTLINE,
  );
  spots(canvas, '#8a5a2b', '300 960 17, 640 880 20, 560 1030 15, 260 720 14, 620 590 12, 420 1050 16', {
    opacity: 0.5,
  });
  canvas.path(
    'M250 520L200 290L320 390L400 230L490 380L600 260L610 500C500 440 360 450 250 520Z',
    canvas.linear('#fff3a8 0, #ffc928 0.5, #f08c00 1', 60),
    OUTLINE,
  );
  spots(canvas, '#ef4444', '330 455 22, 540 445 22', OUTLINE);
  spots(canvas, '#22d3ee', '440 430 22', OUTLINE);
  spots(canvas, '#fff3a8', '200 290 24, 400 230 24, 600 260 24', OUTLINE);
  eye(canvas, 350, 700, 58, 0.2, 0.15);
  eye(canvas, 550, 690, 58, -0.2, 0.15);
  canvas.line('M285 620L400 640M615 608L500 632', INK, 22);
  canvas.path(
    'M450 800C400 760 320 790 270 860C340 880 420 870 450 830C480 870 560 875 630 845C580 780 500 760 450 800Z',
    '#5a3214',
    OUTLINE,
  );
  canvas.path('M395 900C420 935 490 935 515 895', 'none', OUTLINE);
  coin(canvas, 775, 640, 66);
}
