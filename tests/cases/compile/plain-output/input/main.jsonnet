{ 'motd.txt': 'Hello\n\tworld é', 'bin/run': '#!/bin/sh\n' }
