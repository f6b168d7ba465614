module github.com/uprez/uprez-go

go 1.19
